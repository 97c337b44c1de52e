/** Turns a picture the way its camera was held (EXIF 2.32, tag 0x0112). */

/**
 * Adds what an orientation of 1 to 8 asks for; the decoder would do it for JPEG alone.
 * It turns first and mirrors then, whatever the order of the calls.
 */
export function turnUpright(image: Bun.Image, orientation: number): Bun.Image {
  switch (orientation) {
    case 2:
      return image.flop();
    case 3:
      return image.rotate(180);
    case 4:
      return image.flip();
    case 5:
      return image.rotate(90).flop();
    case 6:
      return image.rotate(90);
    case 7:
      return image.rotate(90).flip();
    case 8:
      return image.rotate(270);
    default:
      return image;
  }
}
