// WebAssembly imported with `type: "file"` is the path it can be read from, in the executable too.
declare module "*.wasm" {
  const path: string;
  export default path;
}
