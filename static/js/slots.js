// The board of slot counters: each part has its own file.

import "./slot-taps.js";
import "./slot-posts.js";
import "./slot-moments.js";
import "./slot-keys.js";
import "./slot-tabs.js";
import "./slot-told.js";
import "./slot-sets.js";
import "./slot-drag.js";
