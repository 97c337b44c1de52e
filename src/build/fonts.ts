/** Interim. */
export async function collectFonts(_directory: string): Promise<Record<string, unknown>> {
  return {};
}
