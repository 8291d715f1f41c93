// On a big screen, too, numbers follow each other, changes are shown and moments are told.

import "../board/numbers.js";
import "../board/deltas.js";
import "../board/digits.js";
import "../board/moments.js";
