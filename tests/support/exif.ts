/** Writes EXIF like a camera: orientation, maker and location. */
import { bytesOf } from "./pictures.ts";

/** The camera's maker in an EXIF block. */
export const MAKER = "Pinhole Works";

/** A TIFF block with orientation (1 to 8), maker, and GPS latitude 51 degrees 30 minutes north. */
export function tiffWithPlace(orientation: number): Uint8Array<ArrayBuffer> {
  const makerAt = 8 + 2 + 3 * 12 + 4;
  const placeAt = makerAt + MAKER.length + 1;
  const latitudeAt = placeAt + 2 + 2 * 12 + 4;
  return bytesOf(
    "MM\0*",
    uint32(8),
    uint16(3),
    entry(0x010f, 2, MAKER.length + 1, uint32(makerAt)),
    entry(0x0112, 3, 1, bytesOf(uint16(orientation), 0, 0)),
    entry(0x8825, 4, 1, uint32(placeAt)),
    uint32(0),
    `${MAKER}\0`,
    uint16(2),
    entry(0x0001, 2, 2, bytesOf("N\0\0\0")),
    entry(0x0002, 5, 3, uint32(latitudeAt)),
    uint32(0),
    ...[51, 1, 30, 1, 0, 1].map(uint32),
  );
}

/** The JPEG with an EXIF segment, an XMP segment and a comment after its first marker. */
export function jpegWithMetadata(jpeg: Uint8Array, orientation = 1): Uint8Array<ArrayBuffer> {
  return bytesOf(
    jpeg.subarray(0, 2),
    segment(0xe1, bytesOf("Exif\0\0", tiffWithPlace(orientation))),
    segment(0xe1, bytesOf("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>private</x:xmpmeta>")),
    segment(0xfe, bytesOf("a comment nobody should see")),
    jpeg.subarray(2),
  );
}

/** The codes of a JPEG's segments before its first scan. */
export function jpegMarkers(jpeg: Uint8Array): number[] {
  const markers: number[] = [];
  for (let offset = 2; jpeg[offset + 1] !== 0xda; offset += 2 + lengthAt(jpeg, offset + 2))
    markers.push(jpeg[offset + 1]!);
  return markers;
}

function lengthAt(bytes: Uint8Array, offset: number): number {
  return bytes[offset]! * 256 + bytes[offset + 1]!;
}

function segment(marker: number, data: Uint8Array): Uint8Array {
  return bytesOf(0xff, marker, uint16(data.length + 2), data);
}

function entry(tag: number, type: number, count: number, value: Uint8Array): Uint8Array {
  return bytesOf(uint16(tag), uint16(type), uint32(count), value);
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}

function uint32(value: number): Uint8Array {
  return bytesOf(uint16(value >>> 16), uint16(value & 0xffff));
}
