import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { makeReader } from './code-reader.ts'

export type CameraState = 'asking' | 'on' | 'denied' | 'missing'

/** Pictures are scanned this often, ms: a ticket is held for a second, and the phone stays cool. */
const lookMs = 250

interface TorchTrack {
  getCapabilities?(): { readonly torch?: boolean }
  applyConstraints(constraints: { readonly advanced: readonly { readonly torch: boolean }[] }): Promise<void>
}

/**
 * Shows the camera at the back and reads codes until the page is left.
 *
 * @returns `setVideo` takes the element that shows the picture; `switchTorch` is there where the camera has a light.
 * @param onText Called with each reading, the same code again and again while it is in front of the camera.
 */
export function useScanner(onText: (text: string) => void) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  const [camera, setCamera] = useState<CameraState>('asking')
  const [light, setLight] = useState<TorchTrack | null>(null)
  const isLit = useRef(false)
  const read = useEffectEvent(onText)
  useEffect(() => {
    let isOver = false
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    async function start(picture: HTMLVideoElement) {
      if (!navigator.mediaDevices) return setCamera('missing')
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false })
      if (isOver) return stop()
      const track = stream.getVideoTracks()[0] as TorchTrack | undefined
      if (track?.getCapabilities?.().torch === true) setLight(track)
      await show(picture, stream)
      setCamera('on')
      const reader = await makeReader()
      const look = async () => {
        if (isOver) return
        // A picture that cannot be read is followed by the next one.
        const text = await reader(picture).catch(() => null)
        if (text !== null && !isOver) read(text)
        timer = setTimeout(() => void look(), lookMs)
      }
      await look()
    }
    const stop = () => stream?.getVideoTracks().forEach((track) => track.stop())
    if (video === null) return
    start(video).catch((error: unknown) => {
      stop()
      const name = error instanceof Error ? error.name : ''
      setCamera(name === 'NotAllowedError' ? 'denied' : 'missing')
    })
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [video])
  const switchTorch = () => {
    isLit.current = !isLit.current
    // A phone that says it has a light and then refuses is left as it is.
    light?.applyConstraints({ advanced: [{ torch: isLit.current }] }).catch(() => undefined)
  }
  return { camera, setVideo, switchTorch: light ? switchTorch : undefined }
}

async function show(picture: HTMLVideoElement, stream: MediaStream): Promise<void> {
  picture.srcObject = stream
  await picture.play()
}
