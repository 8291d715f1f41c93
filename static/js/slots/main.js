// The board of slot counters: each part has its own file.

import "./taps.js";
import "./posts.js";
import "./lines.js";
import "./moments.js";
import "./pad.js";
import "./scales.js";
import "./selecting.js";
import "./hitting.js";
import "./keys.js";
import "./sent.js";
import "./tabs.js";
import "./rows.js";
import "./notices.js";
import "./sets.js";
import "./drag.js";
import "./open.js";
import "./previously.js";
import "./shown.js";
import "./handouts.js";
