import { placeLabels } from '../../../ui/sketch/label-places.ts'

interface Named {
  readonly key: string
  readonly name: string
  readonly x: number
  readonly y: number
}

interface SketchNamesProps<Mark extends Named> {
  marks: readonly Mark[]
  /** Of the drawing. */
  width: number
  /** Whose name stands out. */
  isMine: (mark: Mark) => boolean
}

/** The names of the marks of a drawing that have room. */
export function SketchNames<Mark extends Named>({ marks, width, isMine }: SketchNamesProps<Mark>) {
  const labels = placeLabels(marks, width)
  return marks.map((mark, index) => {
    const label = labels[index]
    return (
      label && (
        <text
          key={mark.key}
          x={label.x}
          y={label.y}
          textAnchor={label.anchor}
          className="share-way-name"
          data-mine={isMine(mark) || undefined}
        >
          {mark.name}
        </text>
      )
    )
  })
}
