import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTheme } from '../../../ui/theme.ts'

interface Drawn {
  setTheme(isDark: boolean): void
  destroy(): void
}

/**
 * A map that lives as long as the component does, in its theme.
 *
 * @param mapRef The ref that stores it, for the component's own effects.
 */
export function useDrawnMap<T extends Drawn>(
  mapRef: RefObject<T | null>,
  make: (container: HTMLElement, isDark: boolean) => T,
): {
  /** The element that it fills. */
  readonly box: RefObject<HTMLDivElement | null>
  /** Without WebGL: the list next to the map has the same content. */
  readonly hasFailed: boolean
} {
  const box = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  const isDark = useTheme((theme) => theme.isDark)
  const start = useEffectEvent((container: HTMLElement) => {
    try {
      mapRef.current = make(container, isDark)
    } catch (error) {
      console.info('The map cannot be drawn in this browser.', error)
      setFailed(true)
    }
  })
  const stop = useEffectEvent(() => {
    mapRef.current?.destroy()
    mapRef.current = null
  })
  useEffect(() => {
    if (!box.current) return
    start(box.current)
    return () => stop()
  }, [])
  const show = useEffectEvent((dark: boolean) => mapRef.current?.setTheme(dark))
  useEffect(() => show(isDark), [isDark])
  return { box, hasFailed }
}
