/** The Forms tab (spec section 2): the forms, the builder of one, what visitors sent. */
import "../../editor/rowStyles.ts";
import "../../records/recordStyles.ts";
import { Subtabs } from "../../parts/Subtabs.tsx";
import { TabHead } from "../../parts/TabHead.tsx";
import { Builder } from "./builder/Builder.tsx";
import { FormsList } from "./list/FormsList.tsx";
import { useNewSubmissions } from "./submissionCounts.ts";
import { Submissions } from "./submissions/Submissions.tsx";
import { adoptStyles } from "../../parts/adoptStyles.ts";
import formsCss from "../../styles/forms.css" with { type: "text" };

adoptStyles(formsCss);

/** Shows the subtabs. */
export function FormsTab() {
  const fresh = useNewSubmissions();
  return (
    <>
      <TabHead title="Forms" note="What you ask visitors, and what they answered." />
      <Subtabs
        label="Forms"
        tabs={[
          { key: "forms", label: "Forms", panel: <FormsList /> },
          { key: "builder", label: "Builder", panel: <Builder /> },
          {
            key: "submissions",
            label: "Submissions",
            note: fresh === undefined ? undefined : `${fresh} new`,
            panel: <Submissions />,
          },
        ]}
      />
    </>
  );
}
