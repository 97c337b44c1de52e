/** Roles and their permissions, which the server checks and the dashboard uses to hide what a user may not do. */

/** The roles, most powerful first. An owner is stored as `admin`. */
export const ROLES = [
  { value: "admin", label: "Owner", description: "Full access" },
  {
    value: "editor",
    label: "Editor",
    description:
      "Can edit content, images, styles and forms. No access to submissions, subscribers, exports or settings",
  },
  { value: "reader", label: "Reader", description: "Can read submissions and mark them Reviewed" },
] as const;

export type Role = (typeof ROLES)[number]["value"];

/** The permissions of routes, and the roles that have them (specification, section 6.1). */
const PERMISSIONS = {
  /** Setting up a second factor. Users who lack a required second factor may do nothing else. */
  secondFactor: ["admin", "editor", "reader"],
  /** The user's own account: password, sessions, login methods. */
  account: ["admin", "editor", "reader"],
  /** Public content: sections, forms, pictures, looks. */
  content: ["admin", "editor"],
  /** Submissions: reading and marking them. */
  enquiries: ["admin", "reader"],
  /** Everything else: settings, subscribers, deleting submissions, exports, backups, people. */
  site: ["admin"],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/** Whether a role has a permission; an unknown role has none. */
export function hasPermission(role: string, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly string[]).includes(role);
}

export const isOwner = (
  users: readonly { readonly id: string; readonly role: string }[],
  userId: string | null,
): boolean => users.some(({ id, role }) => id === userId && role === "admin");

export function getRoleLabel(role: string): string {
  return ROLES.find(({ value }) => value === role)?.label ?? role;
}
