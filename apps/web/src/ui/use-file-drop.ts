import { useEffect, useEffectEvent, useState } from 'react'

/** Where files are dropped: on a page, or on the drawer over it. */
export type DropPlace = 'page' | 'drawer'

const isIn = (place: DropPlace, { target }: DragEvent): boolean =>
  (target instanceof Element && target.closest('.drawer') !== null) === (place === 'drawer')

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/**
 * The whole place takes files that are dropped on it; a near miss would make the browser leave for the file.
 *
 * @returns Whether files are over it.
 */
export function useFileDrop(place: DropPlace, onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent((event: DragEvent) => onFiles([...(event.dataTransfer?.files ?? [])]))
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(isIn(place, event))
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      // a text that is dropped belongs to its field
      if (!hasFiles(event)) return
      event.preventDefault()
      if (isIn(place, event)) take(event)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [place])
  return isOver
}
