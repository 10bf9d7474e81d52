// What the Kotlin snippet uses of OkHttp 5, as signatures: the library itself is in no package of Debian.
package okhttp3

import java.io.Closeable

class MediaType {
  companion object {
    fun String.toMediaType(): MediaType = MediaType()
  }
}

abstract class RequestBody {
  companion object {
    fun String.toRequestBody(contentType: MediaType? = null): RequestBody = TODO("$this $contentType")
  }
}

class Request {
  class Builder {
    fun url(url: String): Builder = TODO(url)
    fun method(method: String, body: RequestBody?): Builder = TODO("$method $body")
    fun build(): Request = Request()
  }
}

class ResponseBody {
  fun string(): String = ""
}

class Response : Closeable {
  val code: Int = 200
  val body: ResponseBody = ResponseBody()
  override fun close() {}
}

interface Call {
  fun execute(): Response
}

class OkHttpClient {
  fun newCall(request: Request): Call = TODO("$request")
}
