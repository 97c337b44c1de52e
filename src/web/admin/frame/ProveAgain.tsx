/** Asks for the password again for some calls, which then continue. */
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { PasswordField } from "../../ui/Field.tsx";
import { Form, Submit, useForm, useValues } from "../../ui/Form.tsx";
import { useProofWait, type Wait } from "../data/client.ts";
import { confirmPassword } from "../data/proof.ts";

/** Open while a call waits for the password. */
export function ProveAgain() {
  const wait = useProofWait();
  return (
    <Dialog
      open={wait !== null}
      onClose={() => wait?.giveUp()}
      title="Confirm it's you"
      size="small"
    >
      {wait && <PasswordForm {...wait} />}
    </Dialog>
  );
}

function PasswordForm({ resume, giveUp }: Wait) {
  const form = useForm(useValues({ password: "" }), {
    save: async ({ password }) => {
      await confirmPassword(password);
      resume();
    },
    failure: "Couldn't check the password. Try again.",
    failsAt: "password",
  });
  return (
    <Form of={form}>
      <p className="quiet">Enter your password to confirm this change.</p>
      <PasswordField name="password" label="Password" data-autofocus />
      <div className="actions">
        <Button variant="quiet" onClick={giveUp}>
          Cancel
        </Button>
        <Submit pendingLabel="Checking...">Confirm</Submit>
      </div>
    </Form>
  );
}
