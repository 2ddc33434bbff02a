// Attributes that templates of the settings compute of others.
import type { Attributes } from '@tessera/services';
import { AttributeTemplate } from './attribute-template.js';

export class ComputedAttributes {
  private readonly templates: readonly (readonly [name: string, template: AttributeTemplate])[];

  /** @param templates by name of the attribute @throws TemplateError */
  constructor(templates: Readonly<Record<string, string>>) {
    this.templates = Object.entries(templates).map(([name, text]) => [
      name,
      AttributeTemplate.parse(text),
    ]);
  }

  /** The attributes with the computed ones, which replace those of their names. Each is computed of the given ones alone. */
  addedTo(attributes: Attributes): Attributes {
    if (this.templates.length === 0) return attributes;
    const all = new Map(Object.entries(attributes));
    for (const [name, template] of this.templates) {
      const values = template.valuesOf(attributes);
      if (values.length > 0) all.set(name, values);
      else all.delete(name);
    }
    return Object.fromEntries(all);
  }
}
