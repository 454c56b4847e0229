//! What need not be done again: most answers to /sync bring nothing about keys, and most messages go to the same
//! devices as the one before. The machine looks at it all the same, at a cost; so it is asked less often.
//! Everything here is lost with the process, and then is done once more.
use matrix_sdk_crypto::olm::OutboundGroupSession;
use ruma::{OwnedRoomId, OwnedUserId, RoomId};
use serde_json::Value;
use std::{collections::HashMap, sync::Mutex};

// The machine's own timers (a fallback key's week, a device that is tried again) run when it is asked: so it is,
// after so many times.
const QUIET_MOST: u32 = 200;
const SHARED_MOST: u32 = 20;

/// What a sync says of our own keys on the server.
const COUNTS: [&str; 2] = ["device_one_time_keys_count", "device_unused_fallback_key_types"];

struct Shared {
    users: Vec<OwnedUserId>,
    uses: u32,
}

#[derive(Default)]
struct Known {
    counts: Option<[Value; 2]>,
    quiet: u32,
    shared: HashMap<OwnedRoomId, Shared>,
    sessions: HashMap<OwnedRoomId, OutboundGroupSession>,
}

#[derive(Default)]
pub struct Ready(Mutex<Known>);

fn empty(list: &Value) -> bool {
    list.as_array().is_none_or(Vec::is_empty)
}

impl Ready {
    /// True if an answer to /sync says what the one before said: no messages, no changed devices, the same counts.
    pub fn quiet(&self, sync: &Value) -> bool {
        let mut known = self.0.lock().unwrap();
        let lists = &sync["device_lists"];
        let same = empty(&sync["to_device"]["events"])
            && empty(&lists["changed"])
            && empty(&lists["left"])
            && known.counts.as_ref().is_some_and(|c| COUNTS.iter().zip(c).all(|(name, value)| sync[*name] == *value));
        known.quiet = if same && known.quiet < QUIET_MOST { known.quiet + 1 } else { 0 };
        known.quiet > 0
    }

    /// The machine has taken this answer to /sync.
    pub fn taken(&self, sync: &Value) {
        self.0.lock().unwrap().counts = Some(COUNTS.map(|name| sync[name].clone()));
    }

    /// True if these users' devices have the key of the room's session, and it may be used once more.
    pub fn is_shared(&self, room: &RoomId, users: &[OwnedUserId]) -> bool {
        let mut known = self.0.lock().unwrap();
        let fresh = known.sessions.get(room).is_some_and(|s| !s.expired() && !s.invalidated());
        let Some(shared) = known.shared.get_mut(room) else { return false };
        shared.uses += 1;
        fresh && shared.users == users && shared.uses < SHARED_MOST
    }

    pub fn set_shared(&self, room: &RoomId, users: Vec<OwnedUserId>) {
        self.0.lock().unwrap().shared.insert(room.to_owned(), Shared { users, uses: 0 });
    }

    /// The session that the room's messages are sealed with.
    pub fn set_session(&self, session: &OutboundGroupSession) {
        self.0.lock().unwrap().sessions.insert(session.room_id().to_owned(), session.clone());
    }

    /// Devices or keys may have changed: each room's key is to be shared anew.
    pub fn forget_shared(&self) {
        self.0.lock().unwrap().shared.clear();
    }

    pub fn forget_room(&self, room: &RoomId) {
        let mut known = self.0.lock().unwrap();
        known.shared.remove(room);
        known.sessions.remove(room);
    }
}
