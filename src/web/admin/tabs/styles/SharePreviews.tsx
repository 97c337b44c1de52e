/** Previews of a shared link on Google, WhatsApp and X. */
import { useStylesheet } from "../../parts/useStylesheet.ts";
import css from "./SharePreviews.css" with { type: "text" };

/** `address` is absolute. */
export interface SharedLink {
  readonly title: string;
  readonly description: string;
  readonly picture: string;
  readonly name: string;
  readonly icon: string;
  readonly address: string;
  readonly color: string;
}

export function SharePreviews({ shared }: { shared: SharedLink }) {
  useStylesheet(css);
  const { title, description, picture, name, icon, address } = shared;
  const host = address.replace(/^https?:\/\//, "").replace(/\/.*/s, "");
  return (
    <div className="share-previews stack gap-16">
      <figure className="share-search">
        <figcaption className="faint note">Google</figcaption>
        <div>
          <p className="share-site gap-12 row">
            <img src={icon} alt="" width={26} height={26} />
            <span>
              <span>{name}</span>
              <span className="quiet">{address}</span>
            </span>
          </p>
          <p className="share-title truncate">{title}</p>
          <p className="quiet line-clamp">{description}</p>
        </div>
      </figure>
      <figure className="share-message">
        <figcaption className="faint note">WhatsApp</figcaption>
        <div>
          <img src={picture} alt="" />
          <div className="share-caption">
            <strong>{title}</strong>
            <p className="quiet truncate small">{description}</p>
            <p className="faint note">{host}</p>
          </div>
          <p className="share-address">{address}</p>
        </div>
      </figure>
      <figure className="share-post">
        <figcaption className="faint note">X</figcaption>
        <div>
          <div className="share-picture">
            <img src={picture} alt="" />
            <span className="truncate">{title}</span>
          </div>
          <p className="quiet small">From {host}</p>
        </div>
      </figure>
    </div>
  );
}
