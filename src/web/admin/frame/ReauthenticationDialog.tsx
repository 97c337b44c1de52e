/** Asks for the password when the server requires it for a call, then repeats the call. */
import { callApi } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { PasswordField } from "../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../ui/Form.tsx";
import { useReauthenticationWait, type AccessWait } from "../data/client.ts";

export function ReauthenticationDialog() {
  const wait = useReauthenticationWait();
  return (
    <Dialog
      isOpen={wait !== null}
      onClose={() => wait?.cancel()}
      title="Confirm it's you"
      size="small"
    >
      {wait && <PasswordForm {...wait} />}
    </Dialog>
  );
}

function PasswordForm({ resume, cancel }: AccessWait) {
  const form = useForm(useFormValues({ password: "" }), {
    save: async ({ password }) => {
      await callApi("/api/auth/proof", { method: "POST", body: { password } });
      resume();
    },
    failure: "Couldn't check the password. Try again.",
    failureField: "password",
  });
  return (
    <Form form={form}>
      <p className="quiet">Enter your password to continue.</p>
      <PasswordField name="password" label="Password" data-autofocus />
      <div className="actions">
        <Button variant="quiet" onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton pendingLabel="Checking...">Confirm</SubmitButton>
      </div>
    </Form>
  );
}
