/** Reads the text of a QR code in a picture; null where there is none. */
export type Reader = (picture: HTMLVideoElement) => Promise<string | null>

interface Detector {
  detect(picture: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}
interface DetectorMaker {
  new (options: { readonly formats: readonly string[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/** The browser's own reader, else the library's, which is loaded only then. */
export async function makeReader(): Promise<Reader> {
  const Maker = (globalThis as { BarcodeDetector?: DetectorMaker }).BarcodeDetector
  const formats = await Maker?.getSupportedFormats().catch((): readonly string[] => [])
  if (Maker && formats?.includes('qr_code')) {
    const detector = new Maker({ formats: ['qr_code'] })
    return async (picture) => (await detector.detect(picture))[0]?.rawValue ?? null
  }
  const { canvasReader } = await import('./canvas-reader.ts')
  return canvasReader()
}
