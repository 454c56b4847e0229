//! A small C face of matrix-sdk-crypto's OlmMachine: see olm.h. No I/O, no thread, no clock of its own; a
//! panic ends in an error, never in the caller.
mod calls;
mod keep;
mod ready;
mod store;

use keep::Keep;
use matrix_sdk_crypto::{AttachmentEncryptor, OlmMachine};
use ruma::{OwnedDeviceId, UserId};
use serde_json::{json, Value};
use std::{
    ffi::{c_char, CStr, CString},
    io::Read,
    panic::{catch_unwind, AssertUnwindSafe},
    sync::Arc,
};

/// Changes when olm.h does.
const VERSION: u32 = 1;

pub struct Olm {
    machine: OlmMachine,
    runtime: tokio::runtime::Runtime,
    keep: Keep,
    ready: Arc<ready::Ready>,
}

fn text<'a>(p: *const c_char) -> &'a str {
    if p.is_null() { "" } else { unsafe { CStr::from_ptr(p) }.to_str().unwrap_or("") }
}

fn give(v: Value) -> *mut c_char {
    CString::new(v.to_string()).unwrap_or_default().into_raw()
}

fn error(why: &str) -> Value {
    json!({"error": why})
}

#[no_mangle]
pub extern "C" fn koikoi_olm_version() -> u32 {
    VERSION
}

#[no_mangle]
pub extern "C" fn koikoi_olm_free(p: *mut c_char) {
    if !p.is_null() {
        drop(unsafe { CString::from_raw(p) });
    }
}

fn open(keep: Keep, user: &str, device: &str) -> Result<Olm, String> {
    let user = UserId::parse(user).map_err(|e| e.to_string())?;
    let device: OwnedDeviceId = device.into();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(|e| e.to_string())?;
    let ready = Arc::<ready::Ready>::default();
    let machine = runtime
        .block_on(OlmMachine::with_store(&user, &device, store::Store::new(keep, Arc::clone(&ready)), None))
        .map_err(|e| e.to_string())?;
    Ok(Olm { machine, runtime, keep, ready })
}

/// # Safety
/// `keep` and the strings must be valid; *ret is to be closed with koikoi_olm_close().
#[no_mangle]
pub unsafe extern "C" fn koikoi_olm_open(
    keep: *const Keep,
    user: *const c_char,
    device: *const c_char,
    ret: *mut *mut Olm,
) -> *mut c_char {
    std::panic::set_hook(Box::new(|_| ()));
    let keep = *keep;
    match catch_unwind(|| open(keep, text(user), text(device))) {
        Ok(Ok(olm)) => {
            *ret = Box::into_raw(Box::new(olm));
            give(json!({}))
        }
        Ok(Err(why)) => give(error(&why)),
        Err(_) => give(error("a panic inside the library")),
    }
}

/// # Safety
/// `olm` is of koikoi_olm_open(), and not used again.
#[no_mangle]
pub unsafe extern "C" fn koikoi_olm_close(olm: *mut Olm) {
    if !olm.is_null() {
        let olm = Box::from_raw(olm);
        let _ = catch_unwind(AssertUnwindSafe(|| drop(olm)));
    }
}

/// # Safety
/// `olm` is open and the strings are valid.
#[no_mangle]
pub unsafe extern "C" fn koikoi_olm_call(olm: *const Olm, what: *const c_char, args: *const c_char) -> *mut c_char {
    let olm = &*olm;
    let done = catch_unwind(AssertUnwindSafe(|| {
        let args: Value = serde_json::from_str(text(args)).map_err(|e| e.to_string())?;
        olm.runtime.block_on(calls::call(&olm.machine, &olm.keep, &olm.ready, text(what), &args))
    }));
    give(match done {
        Ok(Ok(v)) => v,
        Ok(Err(why)) => error(&why),
        Err(_) => json!({"error": "a panic inside the library", "panic": true}),
    })
}

/// # Safety
/// `bytes` has `n` bytes, and `ret` room for as many.
#[no_mangle]
pub unsafe extern "C" fn koikoi_olm_seal_file(bytes: *const u8, n: usize, ret: *mut u8) -> *mut c_char {
    let done = catch_unwind(|| {
        let mut plain = std::slice::from_raw_parts(bytes, n);
        let mut sealed = Vec::with_capacity(n);
        let mut encryptor = AttachmentEncryptor::new(&mut plain);
        encryptor.read_to_end(&mut sealed).map_err(|e| e.to_string())?;
        let info = encryptor.finish();
        std::ptr::copy_nonoverlapping(sealed.as_ptr(), ret, n.min(sealed.len()));
        serde_json::to_value(&info).map_err(|e| e.to_string())
    });
    give(match done {
        Ok(Ok(v)) => v,
        Ok(Err(why)) => error(&why),
        Err(_) => error("a panic inside the library"),
    })
}
