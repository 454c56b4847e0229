//! The daemon's store, as this library sees it: four C functions over named values.
use std::ffi::c_void;

/// Gets one value, or each value of a list: `to` is what the caller passed.
pub type Each = extern "C" fn(to: *mut c_void, name: *const u8, name_n: usize, value: *const u8, value_n: usize);

/// See olm.h. All functions are called on the caller's thread, inside a call of this library.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Keep {
    pub at: *mut c_void,
    pub get: extern "C" fn(at: *mut c_void, name: *const u8, name_n: usize, to: *mut c_void, each: Each) -> bool,
    pub put: extern "C" fn(at: *mut c_void, name: *const u8, name_n: usize, value: *const u8, value_n: usize),
    pub remove: extern "C" fn(at: *mut c_void, name: *const u8, name_n: usize),
    pub list: extern "C" fn(at: *mut c_void, prefix: *const u8, prefix_n: usize, to: *mut c_void, each: Each) -> bool,
}

// The runtime has one thread, the caller's, so nothing here ever crosses to another.
unsafe impl Send for Keep {}
unsafe impl Sync for Keep {}

extern "C" fn collect(to: *mut c_void, name: *const u8, name_n: usize, value: *const u8, value_n: usize) {
    let all = unsafe { &mut *(to as *mut Vec<(String, Vec<u8>)>) };
    all.push((String::from_utf8_lossy(bytes(name, name_n)).into_owned(), bytes(value, value_n).to_vec()));
}

fn bytes<'a>(at: *const u8, n: usize) -> &'a [u8] {
    if n == 0 { &[] } else { unsafe { std::slice::from_raw_parts(at, n) } }
}

impl Keep {
    /// The value, None if there is none. Err: the store cannot be read.
    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>, ()> {
        let mut all: Vec<(String, Vec<u8>)> = Vec::new();
        if !(self.get)(self.at, name.as_ptr(), name.len(), &mut all as *mut _ as *mut c_void, collect) {
            return Err(());
        }
        Ok(all.pop().map(|(_, value)| value))
    }

    pub fn put(&self, name: &str, value: &[u8]) {
        (self.put)(self.at, name.as_ptr(), name.len(), value.as_ptr(), value.len());
    }

    pub fn remove(&self, name: &str) {
        (self.remove)(self.at, name.as_ptr(), name.len());
    }

    /// Names and values that begin with the prefix, in order of their names.
    pub fn list(&self, prefix: &str) -> Result<Vec<(String, Vec<u8>)>, ()> {
        let mut all: Vec<(String, Vec<u8>)> = Vec::new();
        if !(self.list)(self.at, prefix.as_ptr(), prefix.len(), &mut all as *mut _ as *mut c_void, collect) {
            return Err(());
        }
        Ok(all)
    }
}
