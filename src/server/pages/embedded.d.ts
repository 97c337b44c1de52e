// WebAssembly imported with `type: "file"` is a readable path, also in the executable.
declare module "*.wasm" {
  const path: string;
  export default path;
}
