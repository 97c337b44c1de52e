/** Writes EXIF like a camera: orientation, maker and location. */
import { concatBytes, encodeUint16, encodeUint32 } from "./pictures.ts";

/** The camera's maker in an EXIF block. */
export const MAKER = "Pinhole Works";

/** Creates a TIFF block with orientation (1 to 8), maker, and a GPS latitude of 51 degrees 30 minutes north. */
export function createTiffWithLocation(orientation: number): Uint8Array<ArrayBuffer> {
  const makerAt = 8 + 2 + 3 * 12 + 4;
  const locationAt = makerAt + MAKER.length + 1;
  const latitudeAt = locationAt + 2 + 2 * 12 + 4;
  return concatBytes(
    "MM\0*",
    encodeUint32(8),
    encodeUint16(3),
    createEntry(0x010f, 2, MAKER.length + 1, encodeUint32(makerAt)),
    createEntry(0x0112, 3, 1, concatBytes(encodeUint16(orientation), 0, 0)),
    createEntry(0x8825, 4, 1, encodeUint32(locationAt)),
    encodeUint32(0),
    `${MAKER}\0`,
    encodeUint16(2),
    createEntry(0x0001, 2, 2, concatBytes("N\0\0\0")),
    createEntry(0x0002, 5, 3, encodeUint32(latitudeAt)),
    encodeUint32(0),
    ...[51, 1, 30, 1, 0, 1].map(encodeUint32),
  );
}

/** Returns the JPEG with an EXIF segment, an XMP segment and a comment after its first marker. */
export function addJpegMetadata(jpeg: Uint8Array, orientation = 1): Uint8Array<ArrayBuffer> {
  return concatBytes(
    jpeg.subarray(0, 2),
    createSegment(0xe1, "Exif\0\0", createTiffWithLocation(orientation)),
    createSegment(0xe1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>private</x:xmpmeta>"),
    createSegment(0xfe, "a comment nobody should see"),
    jpeg.subarray(2),
  );
}

/** Returns the codes of a JPEG's segments before its first scan. */
export function readJpegMarkers(jpeg: Uint8Array): number[] {
  const markers: number[] = [];
  const view = Buffer.from(jpeg);
  for (let at = 2; view[at + 1] !== 0xda; at += 2 + view.readUInt16BE(at + 2))
    markers.push(view[at + 1]!);
  return markers;
}

/** Creates a segment of a JPEG. */
export function createSegment(marker: number, ...parts: (string | Uint8Array)[]): Uint8Array {
  const data = concatBytes(...parts);
  return concatBytes(0xff, marker, encodeUint16(data.length + 2), data);
}

function createEntry(tag: number, type: number, count: number, value: Uint8Array): Uint8Array {
  return concatBytes(encodeUint16(tag), encodeUint16(type), encodeUint32(count), value);
}
