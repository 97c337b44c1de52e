// The files of docs/deploy for servers, imported with `type: "text"` and embedded in the executable.
declare module "*/limelight.service" {
  const text: string;
  export default text;
}
declare module "*/limelightctl" {
  const text: string;
  export default text;
}
