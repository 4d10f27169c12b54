/** Imports every suite: mocha's globals are set before this module is loaded. */
import "./activation";
import "./apiKey";
import "./editing";
import "./tending";
