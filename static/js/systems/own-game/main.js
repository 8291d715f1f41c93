import "../../board/main.js";
import "../../board/overview.js";
import "../../board/score_keys.js";
import "../../board/score_picture.js";
