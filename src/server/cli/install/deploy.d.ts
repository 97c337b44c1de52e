// What docs/deploy holds for servers, imported with `type: "text"`: the executable carries it.
declare module "*/limelight.service" {
  const text: string;
  export default text;
}
declare module "*/limelightctl" {
  const text: string;
  export default text;
}
