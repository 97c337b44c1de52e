// Importing a file with `type: "file"` returns its path, which is readable inside the executable too.
declare module "*.bin" {
  const path: string;
  export default path;
}

declare module "*.txt" {
  const text: string;
  export default text;
}
