// AES-256 in counter mode (FIPS 197, SP 800-38A), as OpenSSH encrypts key files: the whole block is the counter.

const SBOX = sbox();

function sbox() {
  const box = new Uint8Array(256), turn = (x, n) => ((x << n) | (x >> (8 - n))) & 255;
  let p = 1, q = 1;
  do {
    p = (p ^ (p << 1) ^ (p & 128 ? 0x11b : 0)) & 255;
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q = (q ^ (q & 128 ? 9 : 0)) & 255;
    box[p] = q ^ turn(q, 1) ^ turn(q, 2) ^ turn(q, 3) ^ turn(q, 4) ^ 0x63;
  } while (p !== 1);
  box[0] = 0x63;
  return box;
}

const doubled = (x) => ((x << 1) ^ (x & 128 ? 0x11b : 0)) & 255;

function roundKeys(key) {
  const w = Array.from({ length: 60 }, (_, i) => Array.from(key.subarray(4 * i, 4 * i + 4)));
  for (let i = 8, constant = 1; i < 60; i++) {
    let t = w[i - 1];
    if (i % 8 === 0) {
      t = [t[1], t[2], t[3], t[0]].map((x) => SBOX[x]);
      t[0] ^= constant;
      constant = doubled(constant);
    } else if (i % 8 === 4) t = t.map((x) => SBOX[x]);
    w[i] = t.map((x, n) => x ^ w[i - 8][n]);
  }
  return w.flat();
}

function encipherBlock(keys, block) {
  let s = block.map((x, i) => x ^ keys[i]);
  for (let round = 1; round < 15; round++) {
    const moved = s.map((_, i) => SBOX[s[(i + 4 * (i % 4)) % 16]]);
    s = round === 14 ? moved : moved.map((x, i) => {
      const c = i - (i % 4), after = moved[c + ((i + 1) % 4)];
      const all = moved[c] ^ moved[c + 1] ^ moved[c + 2] ^ moved[c + 3];
      return x ^ all ^ doubled(x ^ after);
    });
    s = s.map((x, i) => x ^ keys[16 * round + i]);
  }
  return s;
}

// The same call encrypts and decrypts.
export function aesCtr(key, iv, data) {
  const keys = roundKeys(key), counter = Uint8Array.from(iv), out = Uint8Array.from(data);
  for (let at = 0; at < out.length; at += 16) {
    const stream = encipherBlock(keys, counter);
    for (let i = at; i < Math.min(at + 16, out.length); i++) out[i] ^= stream[i - at];
    for (let i = 15; i >= 0; i--) if ((counter[i] = (counter[i] + 1) & 255) !== 0) break;
  }
  return out;
}
