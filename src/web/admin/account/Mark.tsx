/** The first letters of a name, where others would have a picture. */

export const Mark = ({ name }: { name: string }) => (
  <span className="person-mark" aria-hidden="true">
    {name.slice(0, 2).toUpperCase()}
  </span>
);
