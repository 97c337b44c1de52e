/** The store in a data folder keeps what every engine promises. */
import { conformance } from "./conformance.ts";
import { makeSite } from "./samples.ts";

conformance("the data folder", makeSite);
