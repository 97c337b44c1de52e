/** The icons of sections, by their names in declarations. */
import type { LucideIcon } from "lucide-react";
import ChartNoAxesColumn from "lucide-react/icons/chart-no-axes-column";
import GraduationCap from "lucide-react/icons/graduation-cap";
import Image from "lucide-react/icons/image";
import Images from "lucide-react/icons/images";
import LayoutTemplate from "lucide-react/icons/layout-template";
import Link from "lucide-react/icons/link";
import Newspaper from "lucide-react/icons/newspaper";
import Sparkles from "lucide-react/icons/sparkles";
import User from "lucide-react/icons/user";
import type { IconName } from "../../../schema/entities/sectionTab.ts";

export const ICON_BY_NAME: Readonly<Record<IconName, LucideIcon>> = {
  chart: ChartNoAxesColumn,
  graduation: GraduationCap,
  image: Image,
  images: Images,
  layout: LayoutTemplate,
  link: Link,
  newspaper: Newspaper,
  sparkles: Sparkles,
  user: User,
};
