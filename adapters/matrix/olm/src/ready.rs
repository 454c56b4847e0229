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
const IDLE_MOST: u32 = 20;

// A homeserver that sends the name of a speaker also names them as changed, and the bot speaks in all rooms: our own
// devices are looked up once in so many syncs.
const OWN_PAUSE: u32 = 40;

/// What a sync says of our own keys on the server.
const COUNTS: [&str; 2] = ["device_one_time_keys_count", "device_unused_fallback_key_types"];

struct Shared {
    users: Vec<OwnedUserId>,
    rules: String,
    uses: u32,
}

/// Our own user's devices: named as changed and not looked up yet; syncs until they may be. What waits when a process
/// ends is looked up by the next.
struct Own {
    changed: bool,
    pause: u32,
}

impl Default for Own {
    fn default() -> Self {
        Own { changed: true, pause: 0 }
    }
}

#[derive(Default)]
struct Known {
    counts: Option<[Value; 2]>,
    quiet: u32,
    own: Own,
    idle: Option<u32>,
    shared: HashMap<OwnedRoomId, Shared>,
    sessions: HashMap<OwnedRoomId, OutboundGroupSession>,
}

#[derive(Default)]
pub struct Ready(Mutex<Known>);

fn empty(list: &Value) -> bool {
    list.as_array().is_none_or(Vec::is_empty)
}

impl Ready {
    /// Who has changed, as /sync has it, with `own`, our user, only when it is their turn.
    pub fn lists(&self, sync: &Value, own: &str) -> Value {
        let mut known = self.0.lock().unwrap();
        let mut lists = sync["device_lists"].clone();
        let mut changed = lists["changed"].as_array().cloned().unwrap_or_default();
        let n = changed.len();
        changed.retain(|user| user != own);
        known.own.changed |= changed.len() < n;
        if known.own.changed && known.own.pause == 0 {
            changed.push(own.into());
            known.own = Own { changed: false, pause: OWN_PAUSE };
        }
        known.own.pause = known.own.pause.saturating_sub(1);
        lists["changed"] = changed.into();
        lists
    }

    /// True if an answer to /sync says what the one before said: no messages, no changed devices, the same counts.
    pub fn quiet(&self, sync: &Value, lists: &Value) -> bool {
        let mut known = self.0.lock().unwrap();
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

    /// True if these users' devices have the key of the room's session, and it may be used once more under these rules.
    pub fn is_shared(&self, room: &RoomId, users: &[OwnedUserId], rules: &str) -> bool {
        let mut known = self.0.lock().unwrap();
        let fresh = known.sessions.get(room).is_some_and(|s| !s.expired() && !s.invalidated());
        let Some(shared) = known.shared.get_mut(room) else { return false };
        shared.uses += 1;
        fresh && shared.users == users && shared.rules == rules && shared.uses < SHARED_MOST
    }

    pub fn set_shared(&self, room: &RoomId, users: Vec<OwnedUserId>, rules: String) {
        self.0.lock().unwrap().shared.insert(room.to_owned(), Shared { users, rules, uses: 0 });
    }

    /// The session that the room's messages are sealed with.
    pub fn set_session(&self, session: &OutboundGroupSession) {
        self.0.lock().unwrap().sessions.insert(session.room_id().to_owned(), session.clone());
    }

    /// Devices or keys may have changed: each room's key is to be shared anew, and the machine may have requests.
    pub fn forget_shared(&self) {
        let mut known = self.0.lock().unwrap();
        known.shared.clear();
        known.idle = None;
    }

    /// True if the machine had no requests when it was last asked, and has done nothing since.
    pub fn is_idle(&self) -> bool {
        let mut known = self.0.lock().unwrap();
        known.idle = known.idle.filter(|n| *n < IDLE_MOST).map(|n| n + 1);
        known.idle.is_some()
    }

    pub fn set_idle(&self, idle: bool) {
        self.0.lock().unwrap().idle = idle.then_some(0);
    }

    pub fn forget_room(&self, room: &RoomId) {
        let mut known = self.0.lock().unwrap();
        known.shared.remove(room);
        known.sessions.remove(room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const OWN: &str = "@bot:koi.test";

    fn named(ready: &Ready, users: &[&str]) -> Vec<String> {
        let lists = ready.lists(&json!({"device_lists": {"changed": users}}), OWN);
        serde_json::from_value(lists["changed"].clone()).unwrap()
    }

    #[test]
    fn a_process_looks_its_own_devices_up_first() {
        assert_eq!(named(&Ready::default(), &[]), [OWN]);
    }

    #[test]
    fn own_devices_wait_for_their_turn_and_are_not_forgotten() {
        let ready = Ready::default();
        named(&ready, &[]);
        assert!(named(&ready, &[OWN]).is_empty());
        let turn = (1..=OWN_PAUSE).find(|_| named(&ready, &[]) == [OWN]);
        assert_eq!(turn, Some(OWN_PAUSE - 1));
        assert!(named(&ready, &[]).is_empty());
    }

    #[test]
    fn own_devices_are_looked_up_at_once_after_a_pause() {
        let ready = Ready::default();
        (0..=OWN_PAUSE).for_each(|_| drop(named(&ready, &[])));
        assert_eq!(named(&ready, &[OWN]), [OWN]);
    }

    #[test]
    fn others_never_wait() {
        let ready = Ready::default();
        named(&ready, &[]);
        assert_eq!(named(&ready, &["@ann:koi.test", OWN]), ["@ann:koi.test"]);
    }

    #[test]
    fn requests_are_asked_for_again_after_each_change() {
        let ready = Ready::default();
        assert!(!ready.is_idle());
        ready.set_idle(true);
        assert!(ready.is_idle());
        ready.forget_shared();
        assert!(!ready.is_idle());
        ready.set_idle(true);
        assert!((0..=IDLE_MOST).any(|_| !ready.is_idle()));
    }
}
