// A picture imported with `type: "file"` is a readable path, also in the executable.
declare module "*.webp" {
  const path: string;
  export default path;
}
