//! The calls: JSON in, JSON out. One function a row of `call`.
use crate::{keep::Keep, ready::Ready, store};
use matrix_sdk_crypto::{
    secret_storage::{AesHmacSha2EncryptedData, SecretStorageKey},
    store::types::CrossSigningKeyExport,
    types::requests::*, vodozemac::megolm::MegolmMessage, CollectStrategy, CrossSigningBootstrapRequests, DecryptionSettings,
    EncryptionSettings, EncryptionSyncChanges, MegolmError, OlmMachine, TrustRequirement,
};
use ruma::{
    api::{client, client::*, IncomingResponse, OutgoingRequest as _},
    events::{
        secret::request::SecretName, secret_storage::key::SecretStorageKeyEventContent, EventContentFromType,
    },
    serde::Raw,
    *,
};
use serde_json::{json, value::RawValue, Value};
use std::{collections::BTreeMap, time::Duration};

pub type Answer = Result<Value, String>;

// Senders whose device is not cross-signed are not heard, as MSC4153 has it.
const DECRYPTION: DecryptionSettings =
    DecryptionSettings { sender_device_trust_requirement: TrustRequirement::CrossSignedOrLegacy };

fn text(e: impl std::fmt::Display) -> String {
    e.to_string()
}

fn field<'a>(args: &'a Value, name: &str) -> &'a str {
    args[name].as_str().unwrap_or_default()
}

fn room(args: &Value) -> Result<OwnedRoomId, String> {
    RoomId::parse(field(args, "room")).map_err(text)
}

fn users(args: &Value) -> Vec<OwnedUserId> {
    let list = args["users"].as_array().cloned().unwrap_or_default();
    list.iter().filter_map(|u| UserId::parse(u.as_str()?).ok()).collect()
}

// ---- requests ----

fn request(id: &str, kind: &str, method: &str, path: &str, body: Value) -> Value {
    json!({"id": id, "kind": kind, "method": method, "path": path, "body": body})
}

fn to_device(r: &ToDeviceRequest) -> Value {
    let path = format!("/_matrix/client/v3/sendToDevice/{}/{}", r.event_type, r.txn_id);
    request(r.txn_id.as_str(), "to_device", "PUT", &path, json!({"messages": r.messages}))
}

/// The body of a request of ruma's, which has no other way to it than a whole HTTP request.
macro_rules! body {
    ($r:expr) => {{
        let versions = api::SupportedVersions { versions: [api::MatrixVersion::V1_11].into(), features: Default::default() };
        let http = $r
            .try_into_http_request::<Vec<u8>>(
                "http://localhost",
                api::auth_scheme::SendAccessToken::IfRequired("none"),
                std::borrow::Cow::Owned(versions),
            )
            .map_err(text)?;
        serde_json::from_slice::<Value>(http.body()).unwrap_or_else(|_| json!({}))
    }};
}

fn outgoing(o: &OutgoingRequest) -> Answer {
    let id = o.request_id().as_str();
    Ok(match o.request() {
        AnyOutgoingRequest::KeysUpload(r) => {
            request(id, "keys_upload", "POST", "/_matrix/client/v3/keys/upload", body!(r.clone()))
        }
        AnyOutgoingRequest::KeysQuery(r) => {
            request(id, "keys_query", "POST", "/_matrix/client/v3/keys/query", json!({"device_keys": r.device_keys}))
        }
        AnyOutgoingRequest::KeysClaim(r) => {
            request(id, "keys_claim", "POST", "/_matrix/client/v3/keys/claim", body!(r.clone()))
        }
        AnyOutgoingRequest::ToDeviceRequest(r) => to_device(r),
        AnyOutgoingRequest::SignatureUpload(r) => {
            request(id, "signatures", "POST", "/_matrix/client/v3/keys/signatures/upload", body!(r.clone()))
        }
        AnyOutgoingRequest::RoomMessage(_) => json!({"id": id, "kind": "room_message"}),
    })
}

async fn queued(m: &OlmMachine, kind: Option<&str>) -> Result<Vec<Value>, String> {
    let all = m.outgoing_requests().await.map_err(text)?;
    let all = all.iter().map(outgoing).collect::<Result<Vec<_>, _>>()?;
    Ok(all.into_iter().filter(|r| r["kind"] != "room_message" && kind.is_none_or(|k| r["kind"] == k)).collect())
}

/// What is to be sent to the server now, apart from what messages need.
async fn requests(m: &OlmMachine, ready: &Ready) -> Answer {
    if ready.is_idle() {
        return Ok(json!({"requests": []}));
    }
    let all = queued(m, None).await?;
    ready.set_idle(all.is_empty());
    Ok(json!({"requests": all}))
}

fn parse<R: IncomingResponse>(body: &str) -> Result<R, String> {
    let http = http::Response::builder().status(200).body(body.as_bytes().to_vec()).map_err(text)?;
    R::try_from_http_response(http).map_err(|_| "an answer that cannot be read".to_owned())
}

/// A request of ours was answered.
async fn answered(m: &OlmMachine, ready: &Ready, args: &Value) -> Answer {
    ready.forget_shared();
    let (id, body): (OwnedTransactionId, _) = (field(args, "id").into(), field(args, "body"));
    macro_rules! mark {
        ($t:ty) => {
            m.mark_request_as_sent(&id, &parse::<$t>(body)?).await.map_err(text)?
        };
    }
    match field(args, "kind") {
        "keys_upload" => mark!(keys::upload_keys::v3::Response),
        "keys_query" => mark!(keys::get_keys::v3::Response),
        "keys_claim" => mark!(keys::claim_keys::v3::Response),
        "to_device" => mark!(client::to_device::send_event_to_device::v3::Response),
        "signatures" => mark!(keys::upload_signatures::v3::Response),
        "signing_keys" => {
            let response = parse::<keys::upload_signing_keys::v3::Response>(body)?;
            m.mark_request_as_sent(&id, AnyIncomingResponse::SigningKeysUpload(&response)).await.map_err(text)?
        }
        other => return Err(format!("kind of request: {other}")),
    }
    Ok(json!({}))
}

// ---- hearing ----

/// The part of an answer to /sync that is about keys. Gives the room keys that came.
async fn sync(m: &OlmMachine, ready: &Ready, args: &Value) -> Answer {
    let lists = ready.lists(args, m.user_id().as_str());
    if ready.quiet(args, &lists) {
        return Ok(json!({"keys": []}));
    }
    ready.forget_shared();
    let part = |name: &str| args[name].clone();
    let events: Vec<Raw<events::AnyToDeviceEvent>> =
        serde_json::from_value(args["to_device"]["events"].clone()).unwrap_or_default();
    let lists: sync::sync_events::DeviceLists = serde_json::from_value(lists).unwrap_or_default();
    let counts: BTreeMap<OneTimeKeyAlgorithm, UInt> =
        serde_json::from_value(part("device_one_time_keys_count")).unwrap_or_default();
    let spare: Option<Vec<OneTimeKeyAlgorithm>> =
        serde_json::from_value(part("device_unused_fallback_key_types")).unwrap_or_default();
    let changes = EncryptionSyncChanges {
        to_device_events: events,
        changed_devices: &lists,
        one_time_keys_counts: &counts,
        unused_fallback_keys: spare.as_deref(),
        next_batch_token: args["next_batch"].as_str().map(Into::into),
    };
    let (_, keys) = m.receive_sync_changes(changes, &DECRYPTION).await.map_err(text)?;
    ready.taken(args);
    let keys: Vec<Value> = keys.iter().map(|k| json!({"room": k.room_id, "session": k.session_id})).collect();
    Ok(json!({"keys": keys}))
}

/// True if another event had the same ciphertext, whoever sent it again.
fn is_again(keep: &Keep, args: &Value) -> Result<bool, String> {
    let (event, content) = (&args["event"], &args["event"]["content"]);
    let place = MegolmMessage::from_base64(field(content, "ciphertext")).map_err(text)?.message_index();
    store::is_again(keep, field(args, "room"), field(content, "session_id"), place, field(event, "event_id")).map_err(text)
}

/// An event of type m.room.encrypted. `wait`: its key may still come; `sender`: its device is not cross-signed, as far
/// as is known; `again`: its ciphertext was opened as another event. The devices of whoever cannot be read are looked up
/// by the next request.
async fn open(m: &OlmMachine, keep: &Keep, ready: &Ready, args: &Value) -> Answer {
    let raw = RawValue::from_string(args["event"].to_string()).map_err(text)?;
    let opened = m.decrypt_room_event(&Raw::from_json(raw), &*room(args)?, &DECRYPTION).await;
    if opened.is_err() {
        ready.forget_shared();
        if let Ok(sender) = UserId::parse(field(&args["event"], "sender")) {
            m.update_tracked_users([&*sender]).await.map_err(text)?;
        }
    }
    Ok(match opened {
        Ok(_) if is_again(keep, args)? => json!({"again": true, "why": "another event had this ciphertext"}),
        Ok(event) => json!({"event": event.event}),
        Err(MegolmError::MissingRoomKey(code)) => json!({"wait": true, "why": match code {
            Some(code) => format!("the key was withheld: {code}"),
            None => "the key has not come".to_owned(),
        }}),
        Err(e @ MegolmError::SenderIdentityNotTrusted(_)) => json!({"wait": true, "sender": true, "why": text(e)}),
        Err(e) => json!({"why": text(e)}),
    })
}

// ---- sending ----

/// What the room's state says of its keys: when a new one is due, and who may read what was said before.
fn settings(rules: &Value) -> EncryptionSettings {
    let mut s = EncryptionSettings { sharing_strategy: CollectStrategy::IdentityBasedStrategy, ..Default::default() };
    if let Some(ms) = rules["period"].as_u64().filter(|n| *n > 0) {
        s.rotation_period = Duration::from_millis(ms);
    }
    if let Some(n) = rules["messages"].as_u64().filter(|n| *n > 0) {
        s.rotation_period_msgs = n;
    }
    if let Some(visibility) = rules["visibility"].as_str().filter(|v| !v.is_empty()) {
        s.history_visibility = visibility.into();
    }
    s
}

/// A key made under other rules is used no more.
async fn follow_rules(m: &OlmMachine, keep: &Keep, room: &RoomId, rules: &str) -> Result<(), String> {
    let name = format!("rules\t{room}");
    let before = keep.get(&name).map_err(|_| "the store cannot be read")?;
    if before.as_ref().is_some_and(|before| before != rules.as_bytes()) {
        m.discard_room_key(room).await.map_err(text)?;
    }
    if before.is_none_or(|before| before != rules.as_bytes()) {
        keep.put(&name, rules.as_bytes());
    }
    Ok(())
}

/// Before something is sealed for a room: the requests that must be answered first, none if it can be sealed.
async fn share(m: &OlmMachine, keep: &Keep, ready: &Ready, args: &Value) -> Answer {
    let (room, users, rules) = (room(args)?, users(args), args["rules"].to_string());
    if ready.is_shared(&room, &users, &rules) {
        return Ok(json!({"requests": []}));
    }
    ready.set_idle(false);
    m.update_tracked_users(users.iter().map(|u| &**u)).await.map_err(text)?;
    let queries = queued(m, Some("keys_query")).await?;
    if !queries.is_empty() {
        return Ok(json!({"requests": queries}));
    }
    if let Some((id, r)) = m.get_missing_sessions(users.iter().map(|u| &**u)).await.map_err(text)? {
        let claim = request(id.as_str(), "keys_claim", "POST", "/_matrix/client/v3/keys/claim", body!(r));
        return Ok(json!({"requests": [claim]}));
    }
    follow_rules(m, keep, &room, &rules).await?;
    let settings = settings(&args["rules"]);
    let list = m.share_room_key(&room, users.iter().map(|u| &**u), settings).await.map_err(text)?;
    if list.is_empty() {
        ready.set_shared(&room, users, rules);
    }
    Ok(json!({"requests": list.iter().map(|r| to_device(r)).collect::<Vec<_>>()}))
}

/// The content of m.room.encrypted for `content`, an event of `type`.
async fn seal(m: &OlmMachine, args: &Value) -> Answer {
    let content = Raw::from_json(RawValue::from_string(args["content"].to_string()).map_err(text)?);
    let sealed = m.encrypt_room_event_raw(&*room(args)?, field(args, "type"), &content).await.map_err(text)?;
    Ok(json!({"content": sealed.content}))
}

/// True if somebody of `users` has a device that can read what is sealed: cross-signed.
async fn able(m: &OlmMachine, ready: &Ready, args: &Value) -> Answer {
    ready.forget_shared();
    let users = users(args);
    m.update_tracked_users(users.iter().map(|u| &**u)).await.map_err(text)?;
    let queries = queued(m, Some("keys_query")).await?;
    let mut able = !users.is_empty();
    for user in &users {
        let devices = m.get_user_devices(user, None).await.map_err(text)?;
        able &= devices.devices().any(|d| d.is_cross_signed_by_owner());
    }
    Ok(json!({"requests": queries, "able": able}))
}

// ---- our identity ----

/// Signs this device: what to send, in this order. Makes the keys if there are none.
async fn identity(m: &OlmMachine, ready: &Ready) -> Answer {
    ready.forget_shared();
    let b: CrossSigningBootstrapRequests = m.bootstrap_cross_signing(false).await.map_err(text)?;
    let s = &b.upload_signing_keys_req;
    let mut list = b.upload_keys_req.iter().map(outgoing).collect::<Result<Vec<_>, _>>()?;
    let keys = json!({"master_key": s.master_key, "self_signing_key": s.self_signing_key, "user_signing_key": s.user_signing_key});
    list.push(request("signing", "signing_keys", "POST", "/_matrix/client/v3/keys/device_signing/upload", keys));
    let path = "/_matrix/client/v3/keys/signatures/upload";
    list.push(request("signatures", "signatures", "POST", path, body!(b.upload_signatures_req)));
    Ok(json!({"requests": list}))
}

/// Takes over an identity made elsewhere: its three seeds, as the account's secret storage has them under the
/// recovery key. Its public keys must have come by keys_query before.
async fn recover(m: &OlmMachine, ready: &Ready, args: &Value) -> Answer {
    ready.forget_shared();
    let id = field(args, "key_id");
    let raw = RawValue::from_string(args["key"].to_string()).map_err(text)?;
    let content =
        SecretStorageKeyEventContent::from_parts(&format!("m.secret_storage.key.{id}"), &raw).map_err(text)?;
    let key = SecretStorageKey::from_account_data(field(args, "recovery_key"), content).map_err(text)?;
    let seed = |name: SecretName| -> Result<Option<String>, String> {
        let data: AesHmacSha2EncryptedData =
            serde_json::from_value(args["secrets"][name.as_str()]["encrypted"][id].clone()).map_err(text)?;
        let bytes = key.decrypt(&data, &name).map_err(text)?;
        Ok(Some(String::from_utf8(bytes).map_err(text)?))
    };
    let export = CrossSigningKeyExport {
        master_key: seed(SecretName::CrossSigningMasterKey)?,
        self_signing_key: seed(SecretName::CrossSigningSelfSigningKey)?,
        user_signing_key: seed(SecretName::CrossSigningUserSigningKey)?,
    };
    let status = m.import_cross_signing_keys(export).await.map_err(text)?;
    Ok(json!({"identity": status.has_master && status.has_self_signing}))
}

async fn status(m: &OlmMachine) -> Answer {
    let keys = m.identity_keys();
    let signed = m.cross_signing_status().await;
    Ok(json!({"user": m.user_id(), "device": m.device_id(), "ed25519": keys.ed25519.to_base64(),
        "curve25519": keys.curve25519.to_base64(), "identity": signed.has_master && signed.has_self_signing}))
}

/// A room was left; `keys`: long ago, and others' keys are of no more use either.
async fn forget(m: &OlmMachine, keep: &Keep, ready: &Ready, args: &Value) -> Answer {
    let room = room(args)?;
    ready.forget_room(&room);
    m.discard_room_key(&room).await.map_err(text)?;
    store::leave_room(keep, room.as_str());
    if args["keys"] == true {
        store::forget_room(keep, room.as_str()).map_err(text)?;
    }
    Ok(json!({}))
}

pub async fn call(m: &OlmMachine, keep: &Keep, ready: &Ready, what: &str, args: &Value) -> Answer {
    match what {
        "sync" => sync(m, ready, args).await,
        "requests" => requests(m, ready).await,
        "answered" => answered(m, ready, args).await,
        "open" => open(m, keep, ready, args).await,
        "share" => share(m, keep, ready, args).await,
        "seal" => seal(m, args).await,
        "able" => able(m, ready, args).await,
        "identity" => identity(m, ready).await,
        "recover" => recover(m, ready, args).await,
        "forget" => forget(m, keep, ready, args).await,
        "status" => status(m).await,
        other => Err(format!("call: {other}")),
    }
}
