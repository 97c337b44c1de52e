// A file imported with `type: "file"` is a readable path, also in the executable.
declare module "*.bin" {
  const path: string;
  export default path;
}

declare module "*.txt" {
  const text: string;
  export default text;
}
