// bcrypt_pbkdf, which derives the AES key of an OpenSSH key file from its passphrase. Blowfish's
// tables are the fractional binary digits of pi; they are computed when first needed.

import { concat, u32, utf8 } from "./bytes.js";
import { sha512 } from "./sha.js";

const PI_WORDS = 18 + 4 * 256;
let piTables = null;

// arctan(1/n), times 2^bits.
function arctan(n, bits) {
  let term = (1n << bits) / n, sum = 0n;
  for (let k = 1n, sign = 1n; term; k += 2n, sign = -sign) {
    sum += sign * (term / k);
    term /= n * n;
  }
  return sum;
}

function blowfishTables() {
  if (piTables) return piTables;
  const bits = BigInt(32 * PI_WORDS + 64);
  const pi = 4n * (4n * arctan(5n, bits) - arctan(239n, bits));
  const digits = (pi & ((1n << bits) - 1n)).toString(16).padStart(Number(bits) / 4, "0");
  piTables = Int32Array.from({ length: PI_WORDS }, (_, i) => parseInt(digits.slice(8 * i, 8 * i + 8), 16));
  return piTables;
}

const intsOf = (bytes) => Int32Array.from({ length: bytes.length / 4 }, (_, i) => new DataView(bytes.buffer, bytes.byteOffset).getInt32(4 * i));

function encipher(state, pair) {
  let l = pair[0] ^ state[0], r = pair[1];
  for (let i = 1; i < 17; i += 2) {
    r ^= (((state[18 + (l >>> 24)] + state[274 + ((l >>> 16) & 255)]) ^ state[530 + ((l >>> 8) & 255)]) + state[786 + (l & 255)]) ^ state[i];
    l ^= (((state[18 + (r >>> 24)] + state[274 + ((r >>> 16) & 255)]) ^ state[530 + ((r >>> 8) & 255)]) + state[786 + (r & 255)]) ^ state[i + 1];
  }
  pair[0] = r ^ state[17];
  pair[1] = l;
}

// Mixes a key of 16 words into the state, and salt (16 words, or null) into the enciphered data.
function mixIn(state, key, salt) {
  const pair = new Int32Array(2);
  for (let i = 0; i < 18; i++) state[i] ^= key[i % 16];
  for (let i = 0; i < PI_WORDS; i += 2) {
    if (salt) {
      pair[0] ^= salt[i % 16];
      pair[1] ^= salt[(i + 1) % 16];
    }
    encipher(state, pair);
    state[i] = pair[0];
    state[i + 1] = pair[1];
  }
}

function bcryptHash(pass, salt) {
  const state = Int32Array.from(blowfishTables()), out = new DataView(new ArrayBuffer(32));
  mixIn(state, pass, salt);
  for (let i = 0; i < 64; i++) {
    mixIn(state, salt, null);
    mixIn(state, pass, null);
  }
  const text = intsOf(utf8("OxychromaticBlowfishSwatDynamite"));
  for (let at = 0; at < 8; at += 2) for (let i = 0; i < 64; i++) encipher(state, text.subarray(at, at + 2));
  text.forEach((word, i) => out.setInt32(4 * i, word, true));
  return new Uint8Array(out.buffer);
}

// `size` bytes of key. Takes about a second and calls told(share) to report progress.
export async function bcryptPbkdf(pass, salt, size, rounds, told) {
  const secret = intsOf(sha512(pass)), blocks = Math.ceil(size / 32), key = new Uint8Array(size);
  for (let block = 0; block < blocks; block++) {
    let last = bcryptHash(secret, intsOf(sha512(concat(salt, u32(block + 1)))));
    const sum = Uint8Array.from(last);
    for (let round = 1; round < rounds; round++) {
      last = bcryptHash(secret, intsOf(sha512(last)));
      last.forEach((byte, i) => { sum[i] ^= byte; });
      if (told) await told((block * rounds + round) / (blocks * rounds));
    }
    for (let i = 0; i * blocks + block < size && i < Math.ceil(size / blocks); i++) key[i * blocks + block] = sum[i];
  }
  return key;
}
