/** Interim. */
export type FontCatalogue = Record<string, unknown>;
