//! The library's store over the daemon's: each object is one named value, as JSON. Names are words with
//! tabs between ("session TAB sender key TAB id"), so that a prefix lists a family.
use crate::{keep::Keep, ready::Ready};
use async_trait::async_trait;
use matrix_sdk_crypto::{
    olm::*,
    store::{types::*, CryptoStore, CryptoStoreError},
    Account, DeviceData, GossipRequest, SecretInfo, Session, UserIdentityData,
};
use ruma::{events::secret::request::SecretName, DeviceId, OwnedDeviceId, RoomId, TransactionId, UserId};
use serde::{de::DeserializeOwned, Serialize};
use std::{collections::HashMap, fmt, sync::Arc, sync::Mutex};

type Result<T, E = CryptoStoreError> = std::result::Result<T, E>;

// How many are kept of what grows: sessions of one device, its room keys in one room, and the hashes of its
// messages. The daemon reads what was just said, never a history.
const SESSIONS: usize = 10;
const ROOM_KEYS: usize = 20;
const HASHES: usize = 200;

/// Where an inbound session belongs, and when it came: the higher, the later.
#[derive(serde::Serialize, serde::Deserialize)]
struct Origin {
    room: String,
    serial: u64,
}

pub struct Store {
    keep: Keep,
    account: Mutex<Option<StaticAccountData>>,
    ready: Arc<Ready>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Store")
    }
}

fn unreadable(_: ()) -> CryptoStoreError {
    CryptoStoreError::Backend("the store cannot be read".into())
}

fn from_json<T: DeserializeOwned>(value: &[u8]) -> Result<T> {
    serde_json::from_slice(value).map_err(CryptoStoreError::Serialization)
}

macro_rules! name {
    ($first:literal $(, $part:expr)*) => {{
        #[allow(unused_mut)]
        let mut s = String::from($first);
        $( s.push('\t'); s.push_str($part.as_ref()); )*
        s
    }};
}

/// The prefix of a family: its name with the tab behind it.
macro_rules! family {
    ($($part:expr),+) => { name!($($part),+) + "\t" };
}

/// The names behind the `most` newest.
fn oldest<T: Ord>(mut all: Vec<(T, String)>, most: usize) -> Vec<String> {
    all.sort_by(|a, b| b.cmp(a));
    all.into_iter().skip(most).map(|(_, name)| name).collect()
}

// How far back the messages of one room key are known by their places, see `is_again`.
const PLACES: u32 = 4096;

/// True if another event has had this place among the messages of a room key: somebody sent its ciphertext again. A
/// place too far back counts as taken.
pub fn is_again(keep: &Keep, room: &str, session: &str, place: u32, event: &str) -> Result<bool> {
    let name = name!("heard", room, session, (place % PLACES).to_string());
    if let Some(value) = keep.get(&name).map_err(unreadable)? {
        let (taken, by): (u32, String) = from_json(&value)?;
        if taken >= place {
            return Ok(taken > place || by != event);
        }
    }
    keep.put(&name, &serde_json::to_vec(&(place, event)).map_err(CryptoStoreError::Serialization)?);
    Ok(false)
}

fn forget_places(keep: &Keep, room: &str, session: &str) -> Result<()> {
    let all = keep.list(&family!("heard", room, session)).map_err(unreadable)?;
    all.iter().for_each(|(name, _)| keep.remove(name));
    Ok(())
}

/// What is said of a room's keys from now on. Others' keys stay: clients go on with them when the bot is asked back.
pub fn leave_room(keep: &Keep, room: &str) {
    for prefix in ["outbound", "settings", "rules", "downloaded", "pending"] {
        keep.remove(&format!("{prefix}\t{room}"));
    }
}

/// Forgets the room keys of a room that was left long ago.
pub fn forget_room(keep: &Keep, room: &str) -> Result<()> {
    for (name, value) in keep.list("from\t").map_err(unreadable)? {
        if from_json::<Origin>(&value)?.room == room {
            keep.remove(&name);
        }
    }
    for prefix in ["inbound", "withheld", "bundle", "heard"] {
        let all = keep.list(&format!("{prefix}\t{room}\t")).map_err(unreadable)?;
        all.iter().for_each(|(name, _)| keep.remove(name));
    }
    leave_room(keep, room);
    Ok(())
}

impl Store {
    pub fn new(keep: Keep, ready: Arc<Ready>) -> Self {
        Store { keep, account: Mutex::new(None), ready }
    }

    fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        self.keep.get(name).map_err(unreadable)?.map(|value| from_json(&value)).transpose()
    }

    fn put<T: Serialize>(&self, name: &str, value: &T) -> Result<()> {
        self.keep.put(name, &serde_json::to_vec(value).map_err(CryptoStoreError::Serialization)?);
        Ok(())
    }

    fn list<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<T>> {
        self.keep.list(prefix).map_err(unreadable)?.iter().map(|(_, value)| from_json(value)).collect()
    }

    fn account(&self) -> Result<StaticAccountData> {
        self.account.lock().unwrap().clone().ok_or(CryptoStoreError::AccountUnset)
    }

    fn inbound(&self, pickle: PickledInboundGroupSession) -> Result<InboundGroupSession> {
        Ok(InboundGroupSession::from_pickle(pickle)?)
    }

    async fn save_inbound(&self, session: InboundGroupSession) -> Result<()> {
        let (room, id) = (session.room_id().as_str(), session.session_id());
        let (sender, known) = (session.sender_key().to_base64(), name!("inbound", room, id));
        let is_new = self.keep.get(&known).map_err(unreadable)?.is_none();
        self.put(&known, &session.pickle().await)?;
        if !is_new {
            return Ok(());
        }
        self.put(&name!("from", sender, id), &Origin { room: room.to_owned(), serial: self.next_serial()? })?;
        self.prune_room_keys(&sender, room)
    }

    fn next_serial(&self) -> Result<u64> {
        let serial = self.get::<u64>("serial")?.unwrap_or_default() + 1;
        self.put("serial", &serial)?;
        Ok(serial)
    }

    fn prune_room_keys(&self, sender: &str, room: &str) -> Result<()> {
        let prefix = family!("from", sender);
        let mut here = Vec::new();
        for (name, value) in self.keep.list(&prefix).map_err(unreadable)? {
            let origin: Origin = from_json(&value)?;
            if origin.room == room {
                here.push((origin.serial, name));
            }
        }
        for name in oldest(here, ROOM_KEYS) {
            let id = &name[prefix.len()..];
            forget_places(&self.keep, room, id)?;
            self.keep.remove(&name!("inbound", room, id));
            self.keep.remove(&name);
        }
        Ok(())
    }

    fn prune_sessions(&self, sender: &str) -> Result<()> {
        let mut all = Vec::new();
        for (name, value) in self.keep.list(&family!("session", sender)).map_err(unreadable)? {
            all.push((from_json::<PickledSession>(&value)?.last_use_time, name));
        }
        oldest(all, SESSIONS).iter().for_each(|name| self.keep.remove(name));
        Ok(())
    }

    fn save_hash(&self, hash: &OlmMessageHash) -> Result<()> {
        self.put(&name!("hash", hash.sender_key, hash.hash), &self.next_serial()?)?;
        let mut all = Vec::new();
        for (name, value) in self.keep.list(&family!("hash", hash.sender_key)).map_err(unreadable)? {
            all.push((from_json::<u64>(&value)?, name));
        }
        oldest(all, HASHES).iter().for_each(|name| self.keep.remove(name));
        Ok(())
    }

    fn put_device(&self, device: &DeviceData) -> Result<()> {
        self.put(&name!("device", device.user_id().as_str(), device.device_id().as_str()), device)
    }

    fn save_identities(&self, changes: IdentityChanges, devices: DeviceChanges) -> Result<()> {
        for device in devices.new.iter().chain(&devices.changed) {
            self.put_device(device)?;
        }
        for device in &devices.deleted {
            self.keep.remove(&name!("device", device.user_id().as_str(), device.device_id().as_str()));
        }
        for identity in changes.new.iter().chain(&changes.changed) {
            self.put(&name!("person", identity.user_id().as_str()), identity)?;
        }
        Ok(())
    }

    fn save_rooms(&self, changes: &Changes) -> Result<()> {
        for (room, sessions) in &changes.withheld_session_info {
            for (session, entry) in sessions {
                self.put(&name!("withheld", room.as_str(), session), entry)?;
            }
        }
        for (room, settings) in &changes.room_settings {
            self.put(&name!("settings", room.as_str()), settings)?;
        }
        for bundle in &changes.received_room_key_bundles {
            let (room, sender) = (bundle.bundle_data.room_id.as_str(), bundle.sender_user.as_str());
            self.put(&name!("bundle", room, sender), bundle)?;
        }
        for room in &changes.room_key_backups_fully_downloaded {
            self.put(&name!("downloaded", room.as_str()), &true)?;
        }
        for (room, details) in &changes.rooms_pending_key_bundle {
            match details {
                Some(details) => self.put(&name!("pending", room.as_str()), details)?,
                None => self.keep.remove(&name!("pending", room.as_str())),
            }
        }
        Ok(())
    }
}

#[async_trait]
impl CryptoStore for Store {
    type Error = CryptoStoreError;

    async fn load_account(&self) -> Result<Option<Account>> {
        let Some(pickle) = self.get::<PickledAccount>("account")? else { return Ok(None) };
        let account = Account::from_pickle(pickle)?;
        *self.account.lock().unwrap() = Some(account.static_data().clone());
        Ok(Some(account))
    }

    async fn load_identity(&self) -> Result<Option<PrivateCrossSigningIdentity>> {
        let pickle = self.get::<PickledCrossSigningIdentity>("identity")?;
        pickle.map(PrivateCrossSigningIdentity::from_pickle).transpose().map_err(|_| CryptoStoreError::UnpicklingError)
    }

    async fn save_pending_changes(&self, changes: PendingChanges) -> Result<()> {
        if let Some(account) = changes.account {
            *self.account.lock().unwrap() = Some(account.static_data().clone());
            self.put("account", &account.pickle())?;
        }
        Ok(())
    }

    async fn save_changes(&self, mut changes: Changes) -> Result<()> {
        if let Some(identity) = changes.private_identity.take() {
            self.put("identity", &identity.pickle().await)?;
        }
        for session in std::mem::take(&mut changes.sessions) {
            let pickle = session.pickle().await;
            let sender = pickle.sender_key.to_base64();
            self.put(&name!("session", sender, session.session_id()), &pickle)?;
            self.prune_sessions(&sender)?;
        }
        for session in std::mem::take(&mut changes.inbound_group_sessions) {
            self.save_inbound(session).await?;
        }
        for session in std::mem::take(&mut changes.outbound_group_sessions) {
            self.put(&name!("outbound", session.room_id().as_str()), &session.pickle().await)?;
            self.ready.set_session(&session);
        }
        for hash in &changes.message_hashes {
            self.save_hash(hash)?;
        }
        for request in &changes.key_requests {
            self.put(&name!("request", request.request_id.as_str()), request)?;
            self.put(&name!("asked", request.info.as_key()), &request.request_id)?;
        }
        for item in &changes.secrets {
            let at = name!("secret", item.secret_name.as_str());
            let mut all: Vec<String> = self.get(&at)?.unwrap_or_default();
            all.push(item.secret.to_string());
            self.put(&at, &all)?;
        }
        if let Some(token) = &changes.next_batch_token {
            self.put("batch", token)?;
        }
        if let Some(key) = &changes.backup_decryption_key {
            self.put("backup-key", key)?;
        }
        if let Some(version) = &changes.backup_version {
            self.put("backup-version", version)?;
        }
        if let Some(key) = &changes.dehydrated_device_pickle_key {
            self.put("dehydrated", key)?;
        }
        self.save_rooms(&changes)?;
        self.save_identities(changes.identities, changes.devices)
    }

    async fn save_inbound_group_sessions(&self, sessions: Vec<InboundGroupSession>, _: Option<&str>) -> Result<()> {
        for session in sessions {
            self.save_inbound(session).await?;
        }
        Ok(())
    }

    async fn get_sessions(&self, sender_key: &str) -> Result<Option<Vec<Session>>> {
        let device_keys = self.get_own_device().await?.as_device_keys().clone();
        let pickles: Vec<PickledSession> = self.list(&family!("session", sender_key))?;
        let mut sessions = Vec::new();
        for pickle in pickles {
            let session = Session::from_pickle(device_keys.clone(), pickle);
            sessions.push(session.map_err(|_| CryptoStoreError::UnpicklingError)?);
        }
        Ok(if sessions.is_empty() { None } else { Some(sessions) })
    }

    async fn get_inbound_group_session(&self, room: &RoomId, session: &str) -> Result<Option<InboundGroupSession>> {
        self.get(&name!("inbound", room.as_str(), session))?.map(|p| self.inbound(p)).transpose()
    }

    async fn get_withheld_info(&self, room: &RoomId, session: &str) -> Result<Option<RoomKeyWithheldEntry>> {
        self.get(&name!("withheld", room.as_str(), session))
    }

    async fn get_withheld_sessions_by_room_id(&self, room: &RoomId) -> Result<Vec<RoomKeyWithheldEntry>> {
        self.list(&family!("withheld", room.as_str()))
    }

    async fn get_inbound_group_sessions(&self) -> Result<Vec<InboundGroupSession>> {
        self.list(&family!("inbound"))?.into_iter().map(|p| self.inbound(p)).collect()
    }

    async fn inbound_group_session_counts(&self, _: Option<&str>) -> Result<RoomKeyCounts> {
        let all = self.keep.list(&family!("inbound")).map_err(unreadable)?;
        Ok(RoomKeyCounts { total: all.len(), backed_up: 0 })
    }

    async fn get_inbound_group_sessions_by_room_id(&self, room: &RoomId) -> Result<Vec<InboundGroupSession>> {
        self.list(&family!("inbound", room.as_str()))?.into_iter().map(|p| self.inbound(p)).collect()
    }

    async fn get_inbound_group_sessions_for_device_batch(
        &self,
        curve_key: Curve25519PublicKey,
        sender_data_type: SenderDataType,
        after: Option<String>,
        limit: usize,
    ) -> Result<Vec<InboundGroupSession>> {
        let prefix = family!("from", curve_key.to_base64());
        let mut found = Vec::new();
        for (name, origin) in self.keep.list(&prefix).map_err(unreadable)? {
            let id = &name[prefix.len()..];
            if after.as_deref().is_some_and(|after| id <= after) || found.len() == limit {
                continue;
            }
            let origin: Origin = from_json(&origin)?;
            if let Some(pickle) = self.get(&name!("inbound", origin.room, id))? {
                let session = self.inbound(pickle)?;
                if session.sender_data.to_type() == sender_data_type {
                    found.push(session);
                }
            }
        }
        Ok(found)
    }

    // The daemon makes no backup of keys: it reads no history.
    async fn inbound_group_sessions_for_backup(&self, _: &str, _: usize) -> Result<Vec<InboundGroupSession>> {
        Ok(Vec::new())
    }

    async fn mark_inbound_group_sessions_as_backed_up(&self, _: &str, _: &[(&RoomId, &str)]) -> Result<()> {
        Ok(())
    }

    async fn reset_backup_state(&self) -> Result<()> {
        Ok(())
    }

    async fn load_backup_keys(&self) -> Result<BackupKeys> {
        Ok(BackupKeys { decryption_key: self.get("backup-key")?, backup_version: self.get("backup-version")? })
    }

    async fn load_dehydrated_device_pickle_key(&self) -> Result<Option<DehydratedDeviceKey>> {
        self.get("dehydrated")
    }

    async fn delete_dehydrated_device_pickle_key(&self) -> Result<()> {
        self.keep.remove("dehydrated");
        Ok(())
    }

    async fn get_outbound_group_session(&self, room: &RoomId) -> Result<Option<OutboundGroupSession>> {
        let Some(pickle) = self.get(&name!("outbound", room.as_str()))? else { return Ok(None) };
        let account = self.account()?;
        let keys = Arc::clone(&account.identity_keys);
        Ok(Some(OutboundGroupSession::from_pickle(account.device_id.clone(), keys, pickle)?))
    }

    async fn load_tracked_users(&self) -> Result<Vec<TrackedUser>> {
        self.list(&family!("tracked"))
    }

    async fn save_tracked_users(&self, users: &[(&UserId, bool)]) -> Result<()> {
        for (user, dirty) in users {
            let tracked = TrackedUser { user_id: (*user).to_owned(), dirty: *dirty };
            self.put(&name!("tracked", user.as_str()), &tracked)?;
        }
        Ok(())
    }

    async fn get_device(&self, user: &UserId, device: &DeviceId) -> Result<Option<DeviceData>> {
        self.get(&name!("device", user.as_str(), device.as_str()))
    }

    async fn get_user_devices(&self, user: &UserId) -> Result<HashMap<OwnedDeviceId, DeviceData>> {
        let all: Vec<DeviceData> = self.list(&family!("device", user.as_str()))?;
        Ok(all.into_iter().map(|d| (d.device_id().to_owned(), d)).collect())
    }

    async fn get_own_device(&self) -> Result<DeviceData> {
        let account = self.account()?;
        self.get_device(&account.user_id, &account.device_id).await?.ok_or(CryptoStoreError::AccountUnset)
    }

    async fn get_user_identity(&self, user: &UserId) -> Result<Option<UserIdentityData>> {
        self.get(&name!("person", user.as_str()))
    }

    async fn is_message_known(&self, hash: &OlmMessageHash) -> Result<bool> {
        Ok(self.get::<u64>(&name!("hash", hash.sender_key, hash.hash))?.is_some())
    }

    async fn get_outgoing_secret_requests(&self, id: &TransactionId) -> Result<Option<GossipRequest>> {
        self.get(&name!("request", id.as_str()))
    }

    async fn get_secret_request_by_info(&self, info: &SecretInfo) -> Result<Option<GossipRequest>> {
        let Some(id) = self.get::<String>(&name!("asked", info.as_key()))? else { return Ok(None) };
        self.get(&name!("request", id))
    }

    async fn get_unsent_secret_requests(&self) -> Result<Vec<GossipRequest>> {
        let all: Vec<GossipRequest> = self.list(&family!("request"))?;
        Ok(all.into_iter().filter(|r| !r.sent_out).collect())
    }

    async fn delete_outgoing_secret_requests(&self, id: &TransactionId) -> Result<()> {
        if let Some(request) = self.get_outgoing_secret_requests(id).await? {
            self.keep.remove(&name!("asked", request.info.as_key()));
            self.keep.remove(&name!("request", id.as_str()));
        }
        Ok(())
    }

    async fn get_secrets_from_inbox(&self, name: &SecretName) -> Result<Vec<zeroize::Zeroizing<String>>> {
        let all: Vec<String> = self.get(&name!("secret", name.as_str()))?.unwrap_or_default();
        Ok(all.into_iter().map(Into::into).collect())
    }

    async fn delete_secrets_from_inbox(&self, name: &SecretName) -> Result<()> {
        self.keep.remove(&name!("secret", name.as_str()));
        Ok(())
    }

    async fn get_room_settings(&self, room: &RoomId) -> Result<Option<RoomSettings>> {
        self.get(&name!("settings", room.as_str()))
    }

    async fn get_received_room_key_bundle_data(
        &self,
        room: &RoomId,
        user: &UserId,
    ) -> Result<Option<StoredRoomKeyBundleData>> {
        self.get(&name!("bundle", room.as_str(), user.as_str()))
    }

    async fn get_pending_key_bundle_details_for_room(
        &self,
        room: &RoomId,
    ) -> Result<Option<RoomPendingKeyBundleDetails>> {
        self.get(&name!("pending", room.as_str()))
    }

    async fn get_all_rooms_pending_key_bundles(&self) -> Result<Vec<RoomPendingKeyBundleDetails>> {
        self.list(&family!("pending"))
    }

    async fn has_downloaded_all_room_keys(&self, room: &RoomId) -> Result<bool> {
        Ok(self.get::<bool>(&name!("downloaded", room.as_str()))?.is_some())
    }

    async fn get_custom_value(&self, key: &str) -> Result<Option<Vec<u8>>> {
        self.keep.get(&name!("custom", key)).map_err(unreadable)
    }

    async fn set_custom_value(&self, key: &str, value: Vec<u8>) -> Result<()> {
        self.keep.put(&name!("custom", key), &value);
        Ok(())
    }

    async fn remove_custom_value(&self, key: &str) -> Result<()> {
        self.keep.remove(&name!("custom", key));
        Ok(())
    }

    // One process at a time has the store open.
    async fn try_take_leased_lock(&self, _: u32, _: &str, _: &str) -> Result<Option<u64>> {
        Ok(Some(1))
    }

    async fn next_batch_token(&self) -> Result<Option<String>> {
        self.get("batch")
    }

    async fn close(&self) -> Result<()> {
        Ok(())
    }

    async fn reopen(&self) -> Result<()> {
        Ok(())
    }

    async fn get_size(&self) -> Result<Option<usize>> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keep::Each;
    use std::{collections::BTreeMap, ffi::c_void};

    type Values = BTreeMap<String, Vec<u8>>;

    fn name(p: *const u8, n: usize) -> String {
        String::from_utf8(unsafe { std::slice::from_raw_parts(p, n) }.to_vec()).unwrap()
    }

    fn values<'a>(at: *mut c_void) -> &'a mut Values {
        unsafe { &mut *(at as *mut Values) }
    }

    extern "C" fn get(at: *mut c_void, p: *const u8, n: usize, to: *mut c_void, each: Each) -> bool {
        if let Some(v) = values(at).get(&name(p, n)) {
            each(to, p, n, v.as_ptr(), v.len());
        }
        true
    }

    extern "C" fn put(at: *mut c_void, p: *const u8, n: usize, value: *const u8, value_n: usize) {
        values(at).insert(name(p, n), unsafe { std::slice::from_raw_parts(value, value_n) }.to_vec());
    }

    extern "C" fn remove(at: *mut c_void, p: *const u8, n: usize) {
        values(at).remove(&name(p, n));
    }

    extern "C" fn list(at: *mut c_void, p: *const u8, n: usize, to: *mut c_void, each: Each) -> bool {
        let prefix = name(p, n);
        for (k, v) in values(at).iter().filter(|(k, _)| k.starts_with(&prefix)) {
            each(to, k.as_ptr(), k.len(), v.as_ptr(), v.len());
        }
        true
    }

    fn keep_of(values: &mut Values) -> Keep {
        Keep { at: values as *mut _ as *mut c_void, get, put, remove, list }
    }

    #[test]
    fn the_same_ciphertext_again_is_not_opened_again() {
        let mut values = Values::new();
        let keep = keep_of(&mut values);
        let again = |place, event| is_again(&keep, "!r:x", "s", place, event).unwrap();
        assert!(!again(0, "$one"));
        assert!(!again(0, "$one")); // the same event, heard again after a crash
        assert!(again(0, "$two"));
        assert!(!again(1, "$three"));
        assert!(!again(PLACES, "$four")); // takes the place of the oldest, which stays taken
        assert!(again(0, "$one"));
        assert!(again(0, "$five"));
        assert!(!is_again(&keep, "!r:x", "t", 0, "$six").unwrap());
        assert!(values.len() <= 3);
    }

    #[test]
    fn keys_that_were_heard_stay_when_the_bot_leaves() {
        let mut values = Values::new();
        let keep = keep_of(&mut values);
        let from = serde_json::to_vec(&Origin { room: "!r:x".into(), serial: 1 }).unwrap();
        let theirs = ["inbound\t!r:x\ts", "heard\t!r:x\ts\t0", "from\tkey\ts"];
        for name in theirs {
            keep.put(name, &from);
        }
        keep.put("outbound\t!r:x", b"{}");
        keep.put("inbound\t!other:x\ts", b"{}");
        leave_room(&keep, "!r:x");
        assert!(keep.get("outbound\t!r:x").unwrap().is_none());
        assert!(theirs.iter().all(|name| keep.get(name).unwrap().is_some()));
        forget_room(&keep, "!r:x").unwrap();
        assert!(theirs.iter().all(|name| keep.get(name).unwrap().is_none()));
        assert_eq!(values.len(), 1);
    }
}
