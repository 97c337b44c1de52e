/** The coaching enquiry of the sample site: three steps that use every kind of answer people meet. */

/**
 * The sample form with its steps and fields nested. `key` is no entity field: it is how the sample
 * submissions name an answer before the site has given the field its id. Orders count from one, as
 * for new steps and fields; options are one per line.
 */
export const sampleEnquiryForm = {
  name: "Coaching enquiry",
  title: "WORK WITH ME",
  subtitle: "Three short steps, about two minutes. I read every enquiry myself.",
  description: `An answer within two working days
A free first call of twenty minutes
No diet sheets, no miracle powders`,
  isActive: true,
  thankYouMessage:
    "Thank you, that has reached me. I’ll read it with a cup of tea and write back within two working days.",
  redirectUrl: "",
  steps: [
    {
      title: "About you",
      subtitle: "So I know who I’m writing to.",
      description: "",
      stepOrder: 1,
      isActive: true,
      fields: [
        field("name", 1, "text", "Your name", {
          placeholder: "First name is fine",
          isRequired: true,
        }),
        field("email", 2, "email", "Email address", {
          placeholder: "you@example.com",
          isRequired: true,
        }),
        field("phone", 3, "international_phone", "Phone", {
          adminLabel: "Phone (only if they prefer a call)",
          placeholder: "7700 900123",
        }),
        field("country", 4, "country", "Where do you live?", {
          adminLabel: "Country",
          isRequired: true,
        }),
      ],
    },
    {
      title: "Your goal",
      subtitle: "Big or small, in your own words.",
      description: "",
      stepOrder: 2,
      isActive: true,
      fields: [
        field("goal", 1, "select", "What brings you here?", {
          adminLabel: "Goal",
          placeholder: "Choose the closest",
          isRequired: true,
          options: [
            "Getting started again",
            "Losing weight",
            "Getting stronger",
            "Training for an event",
            "Stage and camera confidence",
          ],
        }),
        field("change", 2, "textarea", "What would you like to be different in three months?", {
          adminLabel: "In three months",
          placeholder: "Stairs without stopping, a show in March, a suit that fits…",
          isRequired: true,
        }),
        field("activity", 3, "radio", "How active are you at the moment?", {
          adminLabel: "Activity now",
          isRequired: true,
          options: ["Hardly at all", "A walk now and then", "Once or twice a week", "Most days"],
        }),
      ],
    },
    {
      title: "Fitting it in",
      subtitle: "A plan only works if it fits the week you really have.",
      description: "",
      stepOrder: 3,
      isActive: true,
      fields: [
        field("sessions", 1, "number", "How many sessions a week could you manage?", {
          adminLabel: "Sessions a week",
          placeholder: "2",
          isRequired: true,
        }),
        field("times", 2, "checkbox", "When could you train?", {
          adminLabel: "Times",
          isRequired: true,
          options: ["Early mornings", "Lunchtimes", "Evenings", "Weekends"],
        }),
        field("place", 3, "radio", "Where would you like to meet?", {
          adminLabel: "Place",
          isRequired: true,
          options: ["In Manchester", "Online", "A bit of both"],
        }),
        field("note", 4, "textarea", "Anything I should know first?", {
          adminLabel: "Note",
          placeholder: "Injuries, shift work, a fear of burpees",
        }),
      ],
    },
  ],
};

interface FieldDetails {
  adminLabel?: string;
  placeholder?: string;
  isRequired?: boolean;
  options?: string[];
}

function field(
  key: string,
  fieldOrder: number,
  fieldType: string,
  label: string,
  details: FieldDetails,
) {
  return {
    key,
    fieldType,
    label,
    adminLabel: details.adminLabel ?? label,
    placeholder: details.placeholder ?? "",
    isRequired: details.isRequired ?? false,
    isActive: true,
    fieldOrder,
    options: (details.options ?? []).join("\n"),
  };
}
