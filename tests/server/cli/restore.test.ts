/** What `limelight restore` says when there is nothing to restore, and `limelight upgrade` about its arguments. */
import { expect, test } from "bun:test";
import { restoreCommand } from "../../../src/server/cli/restore.ts";
import { upgradeCommand } from "../../../src/server/cli/upgrade.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { setUpFolderForEach } from "../../support/folderForEach.ts";

const at = setUpFolderForEach();
const config = () => readConfig(["--site-dir", at()], {}).config;
const NAME = "limelight-0123abcd-2026-01-10T12-00-00-000Z.tar.gz";

test.each([
  [[], { "--newest": "" }, "No backup was found in "],
  [[], { "--newest": "", "--site": "0123abcd" }, "No backup of site 0123abcd was found in "],
  [[NAME], {}, "This backup wasn't found in "],
])("limelight restore %j with the flags %j is refused: %s", async (args, flags, message) => {
  const restoring = restoreCommand.run(config(), args, new Map(Object.entries(flags)));
  await expect(restoring).rejects.toThrow(message);
});

test.each([
  [["limelight-next"], { "--rollback": "" }, "--rollback takes no file"],
  [[], {}, "Specify one file: "],
  [["one", "other"], {}, "Specify one file: "],
])("limelight upgrade %j with the flags %j is refused: %s", async (args, flags, message) => {
  const upgrading = upgradeCommand.run(config(), args, new Map(Object.entries(flags)));
  await expect(upgrading).rejects.toThrow(message);
});
