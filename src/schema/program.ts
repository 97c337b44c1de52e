/** What the program calls itself, for the first credit of a site. */
export const PROGRAM: { readonly name: string; readonly page: string | null } = {
  name: "Limelight",
  // Null until the project has a page of its own; the credit is then a name without a link.
  page: null,
};
