import { Suspense, useEffect } from 'react'
import { create } from 'zustand'
import { useShellSlots } from './slots.ts'

/** Whether the command palette is open, and what it begins with. */
const usePalette = create<{ isOpen: boolean; query: string }>(() => ({ isOpen: false, query: '' }))

export const openPalette = (query = ''): void => usePalette.setState({ isOpen: true, query })
const closePalette = (): void => usePalette.setState({ isOpen: false })

/** Opens the palette with Ctrl+K or Cmd+K from anywhere, typing included. */
export function PaletteHost() {
  const { isOpen, query } = usePalette()
  const { Palette } = useShellSlots()
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      usePalette.setState((state) => ({ isOpen: !state.isOpen, query: '' }))
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  if (!isOpen) return null
  return (
    <Suspense fallback={<KeysWhileLoading />}>
      <Palette initialQuery={query} onClose={closePalette} />
    </Suspense>
  )
}

/** Keeps what is typed while the palette's code is on its way: hands are faster than networks. */
function KeysWhileLoading() {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Escape') return closePalette()
      if (event.key.length !== 1) return
      event.preventDefault()
      usePalette.setState((state) => ({ query: state.query + event.key }))
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return null
}

/** ⌘ on Apple's keyboards, Ctrl elsewhere. */
export const isApple = (): boolean => /mac|iphone|ipad/i.test(navigator.platform)
