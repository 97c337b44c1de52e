/** How long browsers cache content that changes rarely, and pages that show it (specification, section 4.13). */
export const FIVE_MINUTES = 300_000;
