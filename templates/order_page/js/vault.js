// Keys that this device remembers. The seed of each lies in the browser's IndexedDB, encrypted with a key that no script can
// read out of the browser: who copies the stored data has nothing; who uses the browser can sign.

import { publicOf } from "./ed25519.js";
import { publicLine } from "./sshkey.js";

const NAME = "pbem", SHELF = "keys", CIPHER = "AES-GCM";

export const hasVault = () => {
  try {
    return Boolean(globalThis.indexedDB && crypto.subtle);
  } catch {
    return false;
  }
};

const done = (request) => new Promise((good, bad) => {
  request.onsuccess = () => good(request.result);
  request.onerror = () => bad(request.error);
});

async function shelf(mode, act) {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(SHELF);
  const base = await done(opening);
  try {
    return await done(act(base.transaction(SHELF, mode).objectStore(SHELF)));
  } finally {
    base.close();
  }
}

// Whether the browser keeps it.
export async function rememberKey({ seed, wire, comment }) {
  try {
    const lock = await crypto.subtle.generateKey({ name: CIPHER, length: 256 }, false, ["encrypt", "decrypt"]);
    const iv = crypto.getRandomValues(new Uint8Array(12)), box = await crypto.subtle.encrypt({ name: CIPHER, iv }, lock, seed);
    await shelf("readwrite", (keys) => keys.put({ lock, iv, box, wire, comment }, publicLine(wire)));
    return true;
  } catch {
    return false;
  }
}

// All that are remembered, as `readKey` gives them.
export async function recallKeys() {
  if (!hasVault()) return [];
  try {
    return await Promise.all((await shelf("readonly", (keys) => keys.getAll())).map(unboxed));
  } catch {
    return [];
  }
}

async function unboxed({ lock, iv, box, wire, comment }) {
  const seed = new Uint8Array(await crypto.subtle.decrypt({ name: CIPHER, iv }, lock, box));
  return { seed, known: publicOf(seed), wire, comment, locked: false };
}

export async function forgetKey({ wire }) {
  try {
    await shelf("readwrite", (keys) => keys.delete(publicLine(wire)));
  } catch { /* nothing was kept */ }
}
