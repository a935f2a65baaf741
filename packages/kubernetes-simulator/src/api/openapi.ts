import { answerJson, answerText, type BodyAnswer } from "../http/answer.js";
import type { OpenApiDocument } from "../schema/documents.js";

/** `/openapi/v3`: where the documents are. */
export function answerOpenApiIndex(documents: readonly OpenApiDocument[]): BodyAnswer {
  const paths = Object.fromEntries(
    documents.map(({ path, hash }) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` },
    ]),
  );
  return answerJson({ paths });
}

/** `/openapi/v3/…`: a document; one that is asked for by its hash may be kept for ever. */
export function answerOpenApiDocument(
  documents: readonly OpenApiDocument[],
  path: string,
  query: URLSearchParams,
): BodyAnswer {
  const document = documents.find((candidate) => candidate.path === path);
  if (document === undefined) return answerText("404 page not found\n", 404);
  const isPinned = query.get("hash") === document.hash;
  return {
    ...answerJson(undefined),
    headers: {
      ETag: `"${document.hash}"`,
      Vary: "Accept",
      ...(isPinned ? { "Cache-Control": "public, immutable" } : {}),
    },
    body: { text: document.text },
  };
}
