/** Shows a whole picture. A tap sets its focal point, and dragging the corners crops it for one aspect ratio. */
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { Crop, CropName, Point } from "../../../schema/pictures/pictures.ts";
import { announce } from "../../ui/messages.ts";
import type { Upload } from "../data/uploads.ts";
import { useStylesheet } from "../parts/useStylesheet.ts";
import css from "./CropBoard.css" with { type: "text" };
import {
  type Corner,
  computeCornerPosition,
  CORNERS,
  moveCrop,
  CROP_RATIO_LABELS,
  resizeCrop,
  findVisibleCrop,
  STEP_BY_KEY,
  clampPoint,
} from "./cropping.ts";

/** `cropName` is the aspect ratio that is being cropped. Null: no crop frame is shown. */
interface CropBoardProps {
  readonly picture: Upload;
  readonly cropName: CropName | null;
  readonly onFocalPoint: (focus: Point) => void;
  readonly onCrop: (ratio: CropName, crop: Crop) => void;
}

/** The focal point until the owner sets one, in percent of the picture. */
const DEFAULT_FOCUS: Point = { x: 50, y: 50 };

/** A finger may move this far in a tap. A longer movement is a drag. */
const TAP_TOLERANCE_PX = 6;

/** `startPoint` is in percent of the picture; `pointer` is in CSS pixels of the window. */
interface Drag {
  readonly corner: Corner | null;
  readonly crop: Crop | null;
  readonly startPoint: Point;
  readonly pointer: Point;
  hasMoved: boolean;
}

export function CropBoard(props: CropBoardProps) {
  useStylesheet(css);
  const { picture, cropName, onFocalPoint, onCrop } = props;
  const crop = cropName && findVisibleCrop(picture, cropName);
  const aspectRatio = picture.width / picture.height;
  return (
    <div
      className="crop-board"
      role="presentation"
      style={{ "--ratio": aspectRatio } as Record<string, number>}
      {...useCropDrag(props, crop)}
    >
      <img src={picture.url} alt="" draggable={false} data-tone={picture.tone} />
      {cropName && crop && (
        <CropFrame
          cropName={cropName}
          crop={crop}
          onCorner={(corner, step) => {
            const position = computeCornerPosition(crop, corner);
            const target = { x: position.x + step.x, y: position.y + step.y };
            onCrop(
              cropName,
              resizeCrop(picture, cropName, crop, corner, target, step.x ? "x" : "y"),
            );
          }}
        />
      )}
      <FocusRing focus={picture.focus ?? null} onMove={onFocalPoint} />
    </div>
  );
}

/** Dragging a corner resizes the crop, dragging inside it moves it, and a tap sets the focal point. */
function useCropDrag(
  { picture, cropName, onFocalPoint, onCrop }: CropBoardProps,
  crop: Crop | null,
) {
  const dragRef = useRef<Drag | null>(null);
  const startDrag = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const startPoint = getEventPoint(event);
    const corner = ((event.target as HTMLElement).dataset["corner"] ?? null) as Corner | null;
    const isOnCrop = corner !== null || (crop !== null && isInsideCrop(crop, startPoint));
    dragRef.current = {
      corner,
      crop: isOnCrop ? crop : null,
      startPoint,
      pointer: { x: event.clientX, y: event.clientY },
      hasMoved: false,
    };
  };
  const moveDrag = (event: PointerEvent) => {
    const drag = dragRef.current;
    if (!drag) return;
    drag.hasMoved ||=
      Math.hypot(event.clientX - drag.pointer.x, event.clientY - drag.pointer.y) > TAP_TOLERANCE_PX;
    if (!drag.hasMoved) return;
    const point = getEventPoint(event);
    if (!drag.crop || !cropName) return onFocalPoint(clampPoint(point));
    const offset = { x: point.x - drag.startPoint.x, y: point.y - drag.startPoint.y };
    if (!drag.corner) return onCrop(cropName, moveCrop(drag.crop, offset));
    const corner = computeCornerPosition(drag.crop, drag.corner);
    const target = { x: corner.x + offset.x, y: corner.y + offset.y };
    onCrop(cropName, resizeCrop(picture, cropName, drag.crop, drag.corner, target));
  };
  const endDrag = (event: PointerEvent) => {
    const drag = dragRef.current;
    dragRef.current = null;
    if (drag && !drag.hasMoved && !drag.corner && event.type === "pointerup")
      onFocalPoint(clampPoint(drag.startPoint));
  };
  return {
    onPointerDown: startDrag,
    onPointerMove: moveDrag,
    onPointerUp: endDrag,
    onPointerCancel: endDrag,
  };
}

/** Returns the pointer's position in percent of the element. */
function getEventPoint({ currentTarget, clientX, clientY }: PointerEvent): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return { x: (100 * (clientX - left)) / width, y: (100 * (clientY - top)) / height };
}

function isInsideCrop({ x, y, width, height }: Crop, point: Point): boolean {
  return point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
}

/** Creates a key handler. Each press of an arrow key calls `move` with a step of 1%. */
const createArrowHandler = (move: (step: Point) => void) => (event: KeyboardEvent) => {
  const step = STEP_BY_KEY[event.key];
  if (!step) return;
  event.preventDefault();
  move(step);
};

function FocusRing({ focus, onMove }: { focus: Point | null; onMove: (point: Point) => void }) {
  const { x, y } = focus ?? DEFAULT_FOCUS;
  const handleKeyDown = createArrowHandler((step) => {
    const point = clampPoint({ x: x + step.x, y: y + step.y });
    onMove(point);
    announce(describePoint(point));
  });
  return (
    <button
      type="button"
      className="crop-focus"
      aria-label={focus ? `Focal point, ${describePoint(focus)}` : "Focal point, not set"}
      aria-describedby="crop-hint"
      data-unset={focus ? undefined : ""}
      style={{ left: `${x}%`, top: `${y}%` }}
      onKeyDown={handleKeyDown}
    />
  );
}

const describePoint = ({ x, y }: Point) =>
  `${Math.round(x)}% from the left, ${Math.round(y)}% from the top`;

interface CropFrameProps {
  readonly cropName: CropName;
  readonly crop: Crop;
  readonly onCorner: (corner: Corner, step: Point) => void;
}

function CropFrame({ cropName, crop, onCorner }: CropFrameProps) {
  const { x, y, width, height } = crop;
  return (
    <div
      className="crop-frame"
      style={{ left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` }}
    >
      {CORNERS.map((corner) => (
        <button
          key={corner}
          type="button"
          className="crop-corner"
          data-corner={corner}
          aria-label={`${corner} corner of the ${CROP_RATIO_LABELS[cropName]} crop`}
          onKeyDown={createArrowHandler((step) => onCorner(corner, step))}
        />
      ))}
    </div>
  );
}
