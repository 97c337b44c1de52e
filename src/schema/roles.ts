/** Who may do what. The guard of the server and the dashboard decide by the same table. */

/** The roles, the most trusted first. An owner is stored as `admin`. */
export const ROLES = [
  { value: "admin", label: "Owner", may: "Everything" },
  {
    value: "editor",
    label: "Editor",
    may: "Words, pictures, looks and forms. No enquiries, no subscribers, no export, no settings",
  },
  { value: "reader", label: "Reader", may: "Reads enquiries and marks them Reviewed" },
] as const;

export type Role = (typeof ROLES)[number]["value"];

/** What a route asks of who calls it, and the roles that have it (specification, section 6.1). */
const PERMISSIONS = {
  /** Setting up a second factor, which is all that somebody may do who owes one. */
  secondFactor: ["admin", "editor", "reader"],
  /** The own account: its password, its sessions, what it is logged in with. */
  account: ["admin", "editor", "reader"],
  /** What visitors see: sections, forms, pictures, looks. */
  content: ["admin", "editor"],
  /** What visitors have sent with forms: to read, and to mark. */
  enquiries: ["admin", "reader"],
  /** All else: settings, subscribers, deleting what visitors sent, exports, backups, people. */
  site: ["admin"],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/** Whether a role has a permission; one that is not known has none. */
export function mayDo(role: string, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly string[]).includes(role);
}

/** What a role is called on the screen. */
export function roleLabel(role: string): string {
  return ROLES.find(({ value }) => value === role)?.label ?? role;
}
