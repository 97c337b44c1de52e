/** Creates a name that no other site in a database has. */
export const createSchemaName = () => `t${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
