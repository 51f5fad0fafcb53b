// The closed fold table (orders/fold.py); the table itself comes with the page's data.

const FOLDS = new Map();

// Loads the table from data.fold: [plain text, the characters that become it].
export function learnFolds(rows) {
  for (const [plain, chars] of rows) for (const char of chars) FOLDS.set(char, plain);
}

// The folded text and, for each of its characters, the offset it came from; null instead of offsets if
// nothing moved. `text` has one unit a character (canon.js, `flat`).
export function fold(text) {
  if (isAscii(text)) return { folded: text, places: null };
  const places = [];
  let folded = "";
  for (let at = 0; at < text.length; at++) {
    const plain = FOLDS.get(text[at]) ?? text[at];
    for (let i = 0; i < plain.length; i++) places.push(at);
    folded += plain;
  }
  places.push(text.length);
  return { folded, places };
}

export function isAscii(text) {
  return /^[\x00-\x7f]*$/.test(text);
}
