import { BinaryBitmap, HybridBinarizer, QRCodeReader, RGBLuminanceSource } from '@zxing/library'

/** Pictures are made so wide before they are read, pixels: enough for a ticket, and quick on an old phone. */
const readWidth = 640

/** Reads QR codes from pictures by the library, for browsers without a reader of their own. */
export function canvasReader(): (picture: HTMLVideoElement) => Promise<string | null> {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const reader = new QRCodeReader()
  return async (picture) => {
    if (!context || picture.videoWidth === 0) return null
    canvas.width = readWidth
    canvas.height = Math.round((picture.videoHeight / picture.videoWidth) * readWidth)
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
    const source = new RGBLuminanceSource(luminanceOf(data), canvas.width, canvas.height)
    try {
      return reader.decode(new BinaryBitmap(new HybridBinarizer(source))).getText()
    } catch {
      // The library throws where a picture holds no code.
      return null
    }
  }
}

/** How bright each pixel is, 0 to 255, from red, green, blue and opacity. */
function luminanceOf(pixels: Uint8ClampedArray): Uint8ClampedArray {
  const bright = new Uint8ClampedArray(pixels.length / 4)
  for (let at = 0; at < bright.length; at++) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at * 4, at * 4 + 3)
    bright[at] = (red * 77 + green * 151 + blue * 28) >> 8
  }
  return bright
}
