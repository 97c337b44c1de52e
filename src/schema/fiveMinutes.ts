/** How long browsers keep what changes rarely, and with it whatever shows it (specification, section 4.13). */
export const FIVE_MINUTES = 300_000;
